"""Stopping a search that runs without the interpreter: from another thread, or with Ctrl-C."""

from libc.stdint cimport uint64_t

cdef enum:
    POLL = 1024                # nodes between two looks at the stop flag (a power of two)
    SIGNALS = 65536            # nodes between two looks for Ctrl-C

cdef class Stoppable:
    """What a search is asked through while it runs; see stoppable.pyi."""

    cdef volatile bint stop_asked
    cdef volatile bint broken  # a signal handler raised
    cdef object raised         # what it raised
    cdef bint ready(self, bint* watch_signals)
    cdef void look_for_signals(self)
    cdef int give_raised(self) except -1

cdef inline bint interrupted(void* stoppable, uint64_t nodes, bint watch_signals) noexcept nogil:
    """Whether to stop: somebody asked, or a signal handler raised. To be asked every POLL nodes.

    Args:
        stoppable: the `Stoppable`.
        nodes: how many the search has visited.
        watch_signals: as `ready` has set it.
    """
    if (<Stoppable> stoppable).stop_asked:
        return True
    if watch_signals and nodes & (SIGNALS - 1) == 0:
        with gil:
            (<Stoppable> stoppable).look_for_signals()
    return (<Stoppable> stoppable).broken
