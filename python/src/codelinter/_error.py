"""The one exception of this package."""

from __future__ import annotations


class Error(Exception):
    """codelinter could not do its work: there is no score, and so no reward.

    What a model wrote never raises it, however broken that is. It is the binary
    that is not there, a child that died or stopped answering more often than it is
    restarted, or a request that makes no sense, such as a task that is no task.
    """
