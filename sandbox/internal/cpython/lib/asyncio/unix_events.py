"""asyncio's event loop where there are no sockets, no processes and no signals: callbacks and timers, on the virtual clock."""

import time

from . import base_events
from . import events

__all__ = ("SelectorEventLoop", "DefaultEventLoopPolicy", "EventLoop")


class _Clock:
    """What stands in for a selector: nothing ever gets ready, so waiting is letting time pass."""

    def select(self, timeout):
        if timeout is None:
            raise RuntimeError("the event loop waits for what cannot happen")
        if timeout > 0:
            time.sleep(timeout)
        return ()

    def close(self):
        pass


class SelectorEventLoop(base_events.BaseEventLoop):
    """An event loop without sockets."""

    def __init__(self, selector=None):
        super().__init__()
        self._selector = _Clock()

    def _process_events(self, event_list):
        pass

    def _write_to_self(self):
        pass

    def add_signal_handler(self, sig, callback, *args):
        raise NotImplementedError

    def remove_signal_handler(self, sig):
        return False

    def run_in_executor(self, executor, func, *args):
        """Calls func at once: there are no threads."""
        self._check_closed()
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future

    async def shutdown_default_executor(self, timeout=None):
        self._executor_shutdown_called = True


EventLoop = SelectorEventLoop


class DefaultEventLoopPolicy(events.BaseDefaultEventLoopPolicy):
    """A policy with the loop above."""

    _loop_factory = SelectorEventLoop
