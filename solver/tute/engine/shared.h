/* Words that threads share, and the processor's cache. */
#ifndef TUTE_SHARED_H
#define TUTE_SHARED_H

#include <stdint.h>

/* A word is read or written whole, and nothing else is promised: no order, no last writer. */

#if defined(__GNUC__) || defined(__clang__)

#define tute_read(place) __atomic_load_n((place), __ATOMIC_RELAXED)
#define tute_write(place, word) __atomic_store_n((place), (word), __ATOMIC_RELAXED)
#define tute_fetch(place) __builtin_prefetch((place))

#else

#define tute_read(place) (*(volatile const uint64_t *)(place))
#define tute_write(place, word) (*(volatile uint64_t *)(place) = (word))
#define tute_fetch(place) ((void)(place))

#endif

#endif
