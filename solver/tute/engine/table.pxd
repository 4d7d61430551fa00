"""The transposition table: buckets of four 16-byte entries, one cache line each.

An entry keeps the whole 64-bit key of a shape and the honours of the state that was searched: its
bounds hold for that state, and for another of its shape less what the honours may differ by
(`key_of` of state.pxd). The table is owned by one search. The part in use starts small, so that a
quick search stays in the processor's cache, and doubles in place as it fills.
"""

from libc.stdint cimport int16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

cdef enum:
    WAYS = 4
    HONOURS = 5                # ranks with points
    HONOURS_MASK = 31
    ALL_HONOURS = 0xFFFFF      # of four suits
    DEPTH_AT = 20              # bits of `Entry.rest`
    DEPTH_MASK = 31
    MOVE_AT = 25
    NO_MOVE = 64
    NO_LOWER = -32000
    NO_UPPER = 32000

cdef struct Entry:
    uint64_t key
    int16_t lower
    int16_t upper
    uint32_t rest              # honours in play, cards in each hand (0: an empty place), best move

cdef struct Bucket:
    Entry ways[WAYS]

cdef struct Table:
    void* memory               # as allocated
    Bucket* buckets            # aligned to a cache line
    uint64_t mask              # number of buckets in use, less one
    uint64_t most              # number of buckets allocated
    uint64_t used              # entries filled
    # By the honours of one suit in two states of a shape: how much more they are worth in the second
    # at most, card by card, in units.
    int16_t differ[HONOURS_MASK + 1][HONOURS_MASK + 1]

cdef enum:
    FIRST_BUCKETS = 2048

cdef inline bint table_open(Table* table, uint64_t most) noexcept nogil:
    """Allocate `most` buckets (a power of two); the system provides pages as they are touched."""
    table.memory = calloc(most + 1, sizeof(Bucket))
    table.buckets = <Bucket*> (((<size_t> table.memory) + 63) & ~(<size_t> 63))
    table.most = most
    table.mask = (most if most < FIRST_BUCKETS else FIRST_BUCKETS) - 1
    table.used = 0
    return table.memory != NULL

cdef inline void table_close(Table* table) noexcept nogil:
    free(table.memory)
    table.memory = NULL

cdef inline void table_clear(Table* table) noexcept nogil:
    """Empty the table; it starts small again."""
    memset(table.buckets, 0, (table.mask + 1) * sizeof(Bucket))
    table.mask = (table.most if table.most < FIRST_BUCKETS else FIRST_BUCKETS) - 1
    table.used = 0

cdef inline int depth_of(const Entry* entry) noexcept nogil:
    return (entry.rest >> DEPTH_AT) & DEPTH_MASK

cdef inline bint table_find(
    const Table* table, uint64_t key, uint32_t honours, int* lower, int* upper, int* move
) noexcept nogil:
    """Narrow the bounds of a state by what is known of its shape; whether it has been searched.

    Then its best move is given too.
    """
    cdef const Bucket* bucket = &table.buckets[key & table.mask]
    cdef const Entry* entry
    cdef int way, suit, more, less
    cdef uint32_t here, there
    cdef bint found = False
    for way in range(WAYS):
        entry = &bucket.ways[way]
        if entry.key != key or depth_of(entry) == 0:
            continue
        more = less = 0
        if (entry.rest ^ honours) & ALL_HONOURS:
            for suit in range(4):
                here = (honours >> HONOURS * suit) & HONOURS_MASK
                there = (entry.rest >> HONOURS * suit) & HONOURS_MASK
                more += table.differ[there][here]
                less += table.differ[here][there]
        else:
            found = True
            move[0] = entry.rest >> MOVE_AT
        if entry.lower != NO_LOWER and entry.lower - less > lower[0]:
            lower[0] = entry.lower - less
        if entry.upper != NO_UPPER and entry.upper + more < upper[0]:
            upper[0] = entry.upper + more
    return found

cdef inline Entry* table_place(Table* table, uint64_t key, uint32_t honours) noexcept nogil:
    """The state's entry, or the one to give up for it: an empty or the shallowest one."""
    cdef Bucket* bucket = &table.buckets[key & table.mask]
    cdef Entry* entry
    cdef Entry* worst = &bucket.ways[0]
    cdef int way
    for way in range(WAYS):
        entry = &bucket.ways[way]
        if depth_of(entry) == 0:
            table.used += 1
            return entry
        if entry.key == key and (entry.rest ^ honours) & ALL_HONOURS == 0:
            return entry
        if depth_of(entry) < depth_of(worst):
            worst = entry
    return worst

cdef inline void table_grow(Table* table) noexcept nogil:
    """Double the part in use once it is half full: each bucket's entries part by one more bit of
    their keys, so the upper half takes its own from the lower."""
    cdef uint64_t old = table.mask + 1
    cdef uint64_t place
    cdef int way, kept, moved
    cdef Bucket bucket
    if table.used * 2 < old * WAYS or old >= table.most:
        return
    table.mask = 2 * old - 1
    for place in range(old):
        bucket = table.buckets[place]
        memset(&table.buckets[place], 0, sizeof(Bucket))
        kept = moved = 0
        for way in range(WAYS):
            if depth_of(&bucket.ways[way]) and bucket.ways[way].key & old:
                table.buckets[place + old].ways[moved] = bucket.ways[way]
                moved += 1
            elif depth_of(&bucket.ways[way]):
                table.buckets[place].ways[kept] = bucket.ways[way]
                kept += 1

cdef inline void table_store(
    Table* table, uint64_t key, uint32_t honours, int depth, int lower, int upper, int move
) noexcept nogil:
    """Keep proven bounds; those already known for the state are narrowed, never widened."""
    cdef Entry* entry = table_place(table, key, honours)
    if depth_of(entry) and entry.key == key and (entry.rest ^ honours) & ALL_HONOURS == 0:
        lower = max(lower, <int> entry.lower)
        upper = min(upper, <int> entry.upper)
        assert lower <= upper
    entry.key = key
    entry.lower = <int16_t> lower
    entry.upper = <int16_t> upper
    entry.rest = honours | <uint32_t> depth << DEPTH_AT | <uint32_t> move << MOVE_AT
    table_grow(table)
