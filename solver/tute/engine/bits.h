/* Bit counting and prefetch: the compiler's own where it has them, plain C elsewhere. */
#ifndef TUTE_BITS_H
#define TUTE_BITS_H

#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)

#define tute_lowest(x) (__builtin_ctzll(x))
#define tute_highest(x) (63 - __builtin_clzll(x))
#define tute_count(x) (__builtin_popcountll(x))
#define tute_prefetch(p) (__builtin_prefetch(p))

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

#define tute_prefetch(p) ((void)(p))

#endif

#endif
