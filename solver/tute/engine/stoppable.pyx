# cython: language_level=3
"""Stopping a search that runs without the interpreter: from another thread, or with Ctrl-C."""

import threading

from cpython.exc cimport PyErr_CheckSignals


cdef class Stoppable:
    """A search that another thread, or Ctrl-C, may stop; it polls `interrupted`."""

    def stop(self):
        """Make the running search return soon, and all later ones at once, until `resume`."""
        self.stop_asked = True

    def resume(self):
        """Take back an earlier `stop`."""
        self.stop_asked = False

    cdef bint ready(self, bint* watch_signals):
        """Before a search: whether it may begin, and whether it has to look for Ctrl-C.

        Only in the main thread are there signals to look for.
        """
        watch_signals[0] = threading.current_thread() is threading.main_thread()
        self.broken = False
        self.raised = None
        return not self.stop_asked

    cdef void look_for_signals(self):
        try:
            PyErr_CheckSignals()
        except BaseException as error:
            self.raised = error
            self.broken = True

    cdef int give_raised(self) except -1:
        """After a search: raise what a signal handler raised meanwhile."""
        if self.raised is not None:
            raise self.raised
        return 0
