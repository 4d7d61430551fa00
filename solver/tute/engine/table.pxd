"""The transposition table: buckets of four 16-byte entries, one cache line each.

An entry keeps the whole 64-bit key. The table is owned by one search. The part in use starts small,
so that a quick search stays in the processor's cache, and doubles in place as it fills.
"""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

cdef enum:
    WAYS = 4
    NO_MOVE = 255
    NO_LOWER = -32000
    NO_UPPER = 32000

cdef struct Entry:
    uint64_t key
    int16_t lower
    int16_t upper
    uint8_t move
    uint8_t depth              # cards in each hand; 0 marks an empty place
    uint16_t spare

cdef struct Bucket:
    Entry ways[WAYS]

cdef struct Table:
    void* memory               # as allocated
    Bucket* buckets            # aligned to a cache line
    uint64_t mask              # number of buckets in use, less one
    uint64_t most              # number of buckets allocated
    uint64_t used              # entries filled

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

cdef inline Entry* table_find(Table* table, uint64_t key) noexcept nogil:
    cdef Bucket* bucket = &table.buckets[key & table.mask]
    cdef int way
    for way in range(WAYS):
        if bucket.ways[way].key == key and bucket.ways[way].depth:
            return &bucket.ways[way]
    return NULL

cdef inline Entry* table_place(Table* table, uint64_t key) noexcept nogil:
    """The entry of that key, or the one to give up for it: an empty or the shallowest one."""
    cdef Bucket* bucket = &table.buckets[key & table.mask]
    cdef int way, worst = 0
    for way in range(WAYS):
        if bucket.ways[way].depth == 0:
            table.used += 1
            return &bucket.ways[way]
        if bucket.ways[way].key == key:
            return &bucket.ways[way]
        if bucket.ways[way].depth < bucket.ways[worst].depth:
            worst = way
    return &bucket.ways[worst]

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
            if bucket.ways[way].depth and bucket.ways[way].key & old:
                table.buckets[place + old].ways[moved] = bucket.ways[way]
                moved += 1
            elif bucket.ways[way].depth:
                table.buckets[place].ways[kept] = bucket.ways[way]
                kept += 1

cdef inline void table_store(
    Table* table, uint64_t key, int depth, int lower, int upper, int move
) noexcept nogil:
    """Keep proven bounds; those already known for the key are narrowed, never widened."""
    cdef Entry* entry = table_place(table, key)
    if entry.key == key and entry.depth:
        if entry.lower < lower:
            entry.lower = <int16_t> lower
        if entry.upper > upper:
            entry.upper = <int16_t> upper
        if move != NO_MOVE:
            entry.move = <uint8_t> move
        assert entry.lower <= entry.upper
    else:
        entry.key = key
        entry.depth = <uint8_t> depth
        entry.lower = <int16_t> lower
        entry.upper = <int16_t> upper
        entry.move = <uint8_t> move
    table_grow(table)
