"""A transposition table for several threads: four 16-byte entries in a cache line.

An entry keeps the bounds of a state by its shape and its honours (`key_of` of stock_state.pxd), as
in table.pxd. It is two words, key ^ data and data, where data is

    depth 5 | move 5 | honours 20 | upper 16 | lower 16

They are read and written without a lock (Hyatt and Mann, "A lockless transposition-table
implementation for parallel search", 2002): words of two entries do not give back the key of
either. The last place of a line goes to whatever comes, the others to the greater depth.
"""

from libc.stdint cimport int16_t, uint32_t, uint64_t
from libc.string cimport memset

from tute.engine.table cimport ALL_HONOURS, HONOURS, HONOURS_MASK, NO_LOWER, NO_UPPER

cdef extern from "shared.h" nogil:
    uint64_t read_word "tute_read" (const uint64_t* place)
    void write_word "tute_write" (uint64_t* place, uint64_t word)
    void fetch "tute_fetch" (const void* place)
    void* allocate "tute_allocate" (size_t bytes, void** whole)
    void release "tute_release" (void* whole, size_t bytes)

cdef enum:
    WAYS = 4
    WORDS = 8                  # in a line
    HONOURS_AT = 32
    MOVE_AT = 52
    DEPTH_AT = 57
    FIVE_BITS = 31
    NO_MOVE = 31

cdef struct SharedTable:
    void* memory               # as allocated
    uint64_t* words            # aligned to a cache line
    uint64_t mask              # number of lines in use, less one
    uint64_t most              # number of lines allocated
    # By the honours of one suit in two states of a shape: how many points more they are worth in the
    # second at most, card by card.
    int16_t differ[HONOURS_MASK + 1][HONOURS_MASK + 1]

cdef inline bint table_open(SharedTable* table, uint64_t most) noexcept nogil:
    """Allocate `most` lines (a power of two); the system provides pages as they are touched."""
    table.words = <uint64_t*> allocate(most * WORDS * sizeof(uint64_t), &table.memory)
    table.most = most
    table.mask = 0
    return table.memory != NULL

cdef inline void table_close(SharedTable* table) noexcept nogil:
    release(table.memory, table.most * WORDS * sizeof(uint64_t))
    table.memory = NULL

cdef inline void table_clear(SharedTable* table) noexcept nogil:
    """Empty the table, and use one line of it until more are asked for."""
    memset(table.words, 0, (table.mask + 1) * WORDS * sizeof(uint64_t))
    table.mask = 0

cdef inline void table_reserve(SharedTable* table, uint64_t lines) noexcept nogil:
    """Use at least so many lines (a power of two), as far as there are; empty if it grows."""
    lines = min(lines, table.most)
    if lines > table.mask + 1:
        table_clear(table)
        table.mask = lines - 1

cdef inline void table_fetch(const SharedTable* table, uint64_t key) noexcept nogil:
    """Begin to bring a key's line into the cache."""
    fetch(&table.words[(key & table.mask) * WORDS])

cdef inline int lower_of(uint64_t data) noexcept nogil:
    return <int16_t> (data & 0xFFFF)

cdef inline int upper_of(uint64_t data) noexcept nogil:
    return <int16_t> ((data >> 16) & 0xFFFF)

cdef inline uint32_t honours_of(uint64_t data) noexcept nogil:
    return <uint32_t> (data >> HONOURS_AT) & ALL_HONOURS

cdef inline int move_of(uint64_t data) noexcept nogil:
    return <int> (data >> MOVE_AT) & FIVE_BITS

cdef inline int depth_of(uint64_t data) noexcept nogil:
    """The tricks left; 0 for an empty place."""
    return <int> (data >> DEPTH_AT)

cdef inline bint table_find(
    const SharedTable* table,
    uint64_t key,
    uint32_t honours,
    int point,
    int* lower,
    int* upper,
    int* move,
) noexcept nogil:
    """Narrow the bounds of a state by what is known of its shape; whether it has been searched.

    Then its best move is given too. A card point counts `point` in the bounds.
    """
    cdef const uint64_t* line = &table.words[(key & table.mask) * WORDS]
    cdef uint64_t data
    cdef uint32_t other, here, there
    cdef int way, suit, more, less
    cdef bint found = False
    for way in range(WAYS):
        data = read_word(&line[2 * way + 1])
        if read_word(&line[2 * way]) ^ data != key or depth_of(data) == 0:
            continue
        more = less = 0
        other = honours_of(data)
        if other != honours:
            for suit in range(4):
                here = (honours >> HONOURS * suit) & HONOURS_MASK
                there = (other >> HONOURS * suit) & HONOURS_MASK
                more += table.differ[there][here]
                less += table.differ[here][there]
        else:
            found = True
            move[0] = move_of(data)
        if lower_of(data) != NO_LOWER:
            lower[0] = max(lower[0], lower_of(data) - point * less)
        if upper_of(data) != NO_UPPER:
            upper[0] = min(upper[0], upper_of(data) + point * more)
    return found

cdef inline void table_store(
    SharedTable* table, uint64_t key, uint32_t honours, int depth, int lower, int upper, int move
) noexcept nogil:
    """Keep proven bounds; those already known for the state are narrowed, never widened."""
    cdef uint64_t* line = &table.words[(key & table.mask) * WORDS]
    cdef uint64_t data
    cdef int way, place = WAYS - 1, least = depth
    for way in range(WAYS):
        data = read_word(&line[2 * way + 1])
        if depth_of(data) == 0:
            place = way
            break
        if read_word(&line[2 * way]) ^ data == key and honours_of(data) == honours:
            lower = max(lower, lower_of(data))
            upper = min(upper, upper_of(data))
            move = move_of(data) if move == NO_MOVE else move
            place = way
            break
        if way < WAYS - 1 and depth_of(data) < least:
            least = depth_of(data)
            place = way
    data = <uint64_t> (lower & 0xFFFF) | <uint64_t> (upper & 0xFFFF) << 16
    data |= <uint64_t> honours << HONOURS_AT
    data |= <uint64_t> move << MOVE_AT | <uint64_t> depth << DEPTH_AT
    write_word(&line[2 * place], key ^ data)
    write_word(&line[2 * place + 1], data)
