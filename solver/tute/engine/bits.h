/* Bits and hashing: the compiler's own instructions where it has them, plain C elsewhere. */
#ifndef TUTE_BITS_H
#define TUTE_BITS_H

#include <stdint.h>

/* Arithmetic that is meant to wrap around stands here, out of reach of overflow checks. */

#define tute_lowest_bit(x) ((x) & (~(x) + 1))

static uint64_t tute_mix(uint64_t key, uint64_t part)
{
    key = (key ^ part) * 0x9E3779B97F4A7C15ULL;
    return key ^ (key >> 29);
}

static uint64_t tute_mixed(uint64_t key)
{
    key *= 0xBF58476D1CE4E5B9ULL;
    return key ^ (key >> 32);
}

/* The next number of a sequence (Marsaglia's xorshift, and a multiplication); the state is not 0. */
static uint64_t tute_next_random(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *state = x;
    return tute_mixed(x);
}

#if defined(__GNUC__) || defined(__clang__)

#define tute_lowest(x) (__builtin_ctzll(x))
#define tute_highest(x) (63 - __builtin_clzll(x))
#define tute_count(x) (__builtin_popcountll(x))

#else

static int tute_count(uint64_t x)
{
    x = x - ((x >> 1) & 0x5555555555555555ULL);
    x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    return (int)((x * 0x0101010101010101ULL) >> 56);
}

static int tute_lowest(uint64_t x)
{
    return tute_count((x & (0 - x)) - 1);
}

static int tute_highest(uint64_t x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    x |= x >> 32;
    return tute_count(x) - 1;
}

#endif

#endif
