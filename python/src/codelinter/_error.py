"""The exception of this package."""

from __future__ import annotations


class Error(Exception):
    """codelinter could not do its work: there is no score, and so no reward.

    A model's answer never raises it, however broken it is. The causes are a missing
    binary, a child that died or stopped answering too often, or an invalid request,
    such as an invalid task.
    """
