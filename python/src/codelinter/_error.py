"""The exceptions of this package, of which users see the first."""

from __future__ import annotations


class Error(Exception):
    """codelinter could not do its work: there is no score, and so no reward.

    What a model wrote never raises it, however broken that is. It is the binary
    that is not there, a child that died or stopped answering more often than it is
    restarted, or a request that makes no sense, such as a task that is no task.
    """


class NoChildError(Error):
    """There is no child to ask, and there will be none: no binary, no process to have, or the client is closed."""
