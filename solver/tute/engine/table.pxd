"""The transposition table: buckets of four 16-byte entries, one cache line each.

An entry keeps the whole 64-bit key. It is owned by one search; it starts small, so that a quick
search stays in the processor's cache, and doubles as it fills, up to the memory it may use.
"""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free

from tute.engine.packed cimport prefetch

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
    uint64_t mask              # number of buckets less one
    uint64_t most              # the number of buckets it may grow to
    uint64_t used              # entries filled

cdef inline Bucket* table_allocate(Table* table, uint64_t buckets) noexcept nogil:
    table.memory = calloc(buckets + 1, sizeof(Bucket))
    if table.memory == NULL:
        return NULL
    return <Bucket*> (((<size_t> table.memory) + 63) & ~(<size_t> 63))

cdef inline bint table_open(Table* table, uint64_t first, uint64_t most) noexcept nogil:
    """Make a table of `first` buckets (a power of two) that may grow to `most`."""
    table.buckets = table_allocate(table, first)
    table.mask = first - 1
    table.most = most
    table.used = 0
    return table.buckets != NULL

cdef inline void table_close(Table* table) noexcept nogil:
    free(table.memory)
    table.memory = NULL

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
    """Double the table if it is half full and may grow; it stays as it is if memory is short."""
    cdef Table larger
    cdef uint64_t place
    cdef int way
    cdef Entry* entry
    if table.used * 2 < (table.mask + 1) * WAYS or (table.mask + 1) * 2 > table.most:
        return
    if not table_open(&larger, (table.mask + 1) * 2, table.most):
        table.most = table.mask + 1
        return
    for place in range(table.mask + 1):
        for way in range(WAYS):
            entry = &table.buckets[place].ways[way]
            if entry.depth:
                table_place(&larger, entry.key)[0] = entry[0]
    table_close(table)
    table[0] = larger

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
    else:
        entry.key = key
        entry.depth = <uint8_t> depth
        entry.lower = <int16_t> lower
        entry.upper = <int16_t> upper
        entry.move = <uint8_t> move
    table_grow(table)
