"""A transposition table for several threads: eight 8-byte entries in a cache line.

An entry is one word, so that it is read and written whole, without a lock:

    check 42 | rank 3 | move 3 | upper 8 | lower 8

The check is the top of the key, whose bottom picks the line. A reader that meets another
position's entry is misled only where all 42 bits agree. The rank says how much work an entry
stands for; the last place of a line goes to whatever comes, the others to the higher rank.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

cdef extern from "shared.h" nogil:
    uint64_t read_word "tute_read" (const uint64_t* place)
    void write_word "tute_write" (uint64_t* place, uint64_t word)
    void fetch "tute_fetch" (const void* place)
    void* allocate "tute_allocate" (size_t bytes, void** whole)
    void release "tute_release" (void* whole, size_t bytes)

cdef enum:
    WAYS = 8
    CHECK_FROM = 22            # the check's lowest bit
    MOST_LINES_BITS = 22       # the line's number has no bit of the check
    LOWEST = 0                 # stored bounds that say nothing
    HIGHEST = 255
    NO_MOVE = 7

cdef struct SharedTable:
    void* memory               # as allocated
    uint64_t* words            # aligned to a cache line
    uint64_t mask              # number of lines in use, less one
    uint64_t most              # number of lines allocated

cdef inline bint table_open(SharedTable* table, uint64_t most) noexcept nogil:
    """Allocate `most` lines (a power of two); the system provides pages as they are touched."""
    table.words = <uint64_t*> allocate(most * WAYS * sizeof(uint64_t), &table.memory)
    table.most = most
    table.mask = 0
    return table.memory != NULL

cdef inline void table_close(SharedTable* table) noexcept nogil:
    release(table.memory, table.most * WAYS * sizeof(uint64_t))
    table.memory = NULL

cdef inline void table_clear(SharedTable* table) noexcept nogil:
    """Empty the table, and use one line of it until more are asked for."""
    memset(table.words, 0, (table.mask + 1) * WAYS * sizeof(uint64_t))
    table.mask = 0

cdef inline void table_reserve(SharedTable* table, uint64_t lines) noexcept nogil:
    """Use at least so many lines (a power of two), as far as there are; empty if it grows."""
    lines = min(lines, table.most)
    if lines > table.mask + 1:
        table_clear(table)
        table.mask = lines - 1

cdef inline void table_fetch(const SharedTable* table, uint64_t key) noexcept nogil:
    """Begin to bring a key's line into the cache."""
    fetch(&table.words[(key & table.mask) * WAYS])

cdef inline uint64_t table_find(const SharedTable* table, uint64_t key) noexcept nogil:
    """The entry of that key; 0 if there is none."""
    cdef const uint64_t* line = &table.words[(key & table.mask) * WAYS]
    cdef uint64_t word
    cdef int way
    for way in range(WAYS):
        word = read_word(&line[way])
        if (word ^ key) >> CHECK_FROM == 0:
            return word
    return 0

cdef inline int lower_of(uint64_t word) noexcept nogil:
    return <int> (word & 255)

cdef inline int upper_of(uint64_t word) noexcept nogil:
    return <int> ((word >> 8) & 255)

cdef inline int move_of(uint64_t word) noexcept nogil:
    return <int> ((word >> 16) & 7)

cdef inline int rank_of(uint64_t word) noexcept nogil:
    return <int> ((word >> 19) & 7)

cdef inline void table_store(
    SharedTable* table, uint64_t key, int rank, int lower, int upper, int move
) noexcept nogil:
    """Keep proven bounds; those already known for the key are narrowed, never widened."""
    cdef uint64_t* line = &table.words[(key & table.mask) * WAYS]
    cdef uint64_t word
    cdef int way, place = WAYS - 1, least = rank
    for way in range(WAYS):
        word = read_word(&line[way])
        if (word ^ key) >> CHECK_FROM == 0:
            lower = max(lower, lower_of(word))
            upper = min(upper, upper_of(word))
            move = move_of(word) if move == NO_MOVE else move
            place = way
            break
        if word == 0:
            place = way
            break
        if way < WAYS - 1 and rank_of(word) < least:
            least = rank_of(word)
            place = way
    word = (key >> CHECK_FROM) << CHECK_FROM
    word |= <uint64_t> ((rank << 19) | (move << 16) | (upper << 8) | lower)
    write_word(&line[place], word)
