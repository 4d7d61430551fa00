"""The table of proofs: a position's cards, and the point histories for which the answer holds.

The key says nothing of points. Beside each answer stands a *box*: for every pair of totals, in both
orders, the most that the first may be ahead of the second. Several answers may stand under one key,
each with a box of its own. As in table.pxd an entry keeps the whole 64-bit key, the table belongs
to one search, and the part in use starts small and doubles in place as it fills.

The keys of a bucket are one cache line; what belongs to them lies apart, as long as a box needs.
"""

from libc.stdint cimport int16_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from tute.engine.goal cimport ROOMS

cdef enum:
    WAYS = 8
    FIRST_BUCKETS = 1024
    NO_MOVE = 255

cdef struct Proof:
    uint8_t depth              # cards in each hand; 0 marks an empty place
    uint8_t reached
    uint8_t move               # the card that proves it, or NO_MOVE
    uint8_t spare[5]
    int16_t most[ROOMS]        # as many of them as a box has

cdef struct Keys:
    uint64_t ways[WAYS]

cdef struct Proofs:
    void* memory               # as allocated
    Keys* keys                 # aligned to a cache line
    uint8_t* proofs
    uint64_t size              # bytes of a proof
    int width                  # of a box
    uint64_t mask              # number of buckets in use, less one
    uint64_t most              # number of buckets there is room for
    uint64_t bytes             # allocated
    uint64_t used              # entries filled

cdef inline bint proofs_open(Proofs* table, uint64_t bytes) noexcept nogil:
    """Allocate room for a table; `proofs_clear` divides it up."""
    table.memory = calloc(bytes + 64, 1)
    table.keys = <Keys*> ((<size_t> table.memory + 63) & ~<size_t> 63)
    table.bytes = bytes
    table.mask = 0
    table.size = 0
    return table.memory != NULL

cdef inline void proofs_close(Proofs* table) noexcept nogil:
    free(table.memory)
    table.memory = NULL

cdef inline Proof* proof_at(const Proofs* table, uint64_t bucket, int way) noexcept nogil:
    return <Proof*> (table.proofs + (bucket * WAYS + way) * table.size)

cdef inline void proofs_clear(Proofs* table, int width) noexcept nogil:
    """Empty the table and make it one of boxes so wide; it starts small again."""
    if table.size:
        memset(table.keys, 0, (table.mask + 1) * sizeof(Keys))
        memset(table.proofs, 0, (table.mask + 1) * WAYS * table.size)
    table.width = width
    table.size = 8 + 2 * width
    table.most = 1
    while 2 * table.most * (sizeof(Keys) + WAYS * table.size) <= table.bytes:
        table.most *= 2
    table.proofs = <uint8_t*> (table.keys + table.most)
    table.mask = (table.most if table.most < FIRST_BUCKETS else FIRST_BUCKETS) - 1
    table.used = 0

cdef inline Proof* proofs_find(
    Proofs* table, uint64_t key, const int16_t* ahead, Proof** hint
) noexcept nogil:
    """A proof that holds for totals that are so far ahead of each other; `hint`, if there is none,
    is one for other totals."""
    cdef uint64_t bucket = key & table.mask
    cdef int way, pair, outside
    cdef Proof* proof
    hint[0] = NULL
    for way in range(WAYS):
        if table.keys[bucket].ways[way] != key:
            continue
        proof = proof_at(table, bucket, way)
        if proof.depth == 0:
            continue
        outside = 0
        for pair in range(table.width):
            outside |= ahead[pair] > proof.most[pair]
        if not outside:
            return proof
        hint[0] = proof
    return NULL

cdef inline void proofs_grow(Proofs* table) noexcept nogil:
    """Double the part in use once it is half full: each bucket's entries part by one more bit of
    their keys, so the upper half takes its own from the lower."""
    cdef uint64_t old = table.mask + 1
    cdef uint64_t place, into, key
    cdef int way, kept, moved
    if table.used * 2 < old * WAYS or old >= table.most:
        return
    table.mask = 2 * old - 1
    for place in range(old):
        kept = moved = 0
        for way in range(WAYS):
            if proof_at(table, place, way).depth == 0:
                continue
            key = table.keys[place].ways[way]
            into = place + (key & old)
            if into == place:
                if kept != way:
                    table.keys[place].ways[kept] = key
                    memcpy(proof_at(table, place, kept), proof_at(table, place, way), table.size)
                    proof_at(table, place, way).depth = 0
                kept += 1
            else:
                table.keys[into].ways[moved] = key
                memcpy(proof_at(table, into, moved), proof_at(table, place, way), table.size)
                proof_at(table, place, way).depth = 0
                moved += 1

cdef inline void proofs_store(
    Proofs* table, uint64_t key, int depth, int reached, int move,
    const int16_t* ahead, const int16_t* room
) noexcept nogil:
    """Keep an answer, with the room that it leaves to each difference of totals.

    It takes the place of a proof that it makes superfluous, else an empty one, else that of the
    shallowest.
    """
    cdef uint64_t bucket = key & table.mask
    cdef int way, pair, worst = 0, within
    cdef Proof* proof
    for way in range(WAYS):
        proof = proof_at(table, bucket, way)
        if proof.depth == 0:
            worst = way
            table.used += 1
            break
        if table.keys[bucket].ways[way] == key and proof.reached == reached:
            within = 0
            for pair in range(table.width):
                within |= proof.most[pair] > ahead[pair] + room[pair]
            if not within:
                worst = way
                break
        if proof.depth < proof_at(table, bucket, worst).depth:
            worst = way
    proof = proof_at(table, bucket, worst)
    table.keys[bucket].ways[worst] = key
    proof.depth = <uint8_t> depth
    proof.reached = <uint8_t> reached
    proof.move = <uint8_t> move
    for pair in range(table.width):
        proof.most[pair] = ahead[pair] + room[pair]
    proofs_grow(table)
