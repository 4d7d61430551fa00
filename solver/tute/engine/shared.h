/* Words that threads share, and the processor's cache. */
#ifndef TUTE_SHARED_H
#define TUTE_SHARED_H

#include <stdint.h>
#include <stdlib.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

/* Zeroed memory, on a boundary of the cache's lines. A large table is read at random places, and the
 * processor finds its pages sooner where they are large; so where the system offers those they are
 * asked for. `*whole` is what has to be given back. */

#define TUTE_PAGE ((size_t)1 << 21)

static void *tute_allocate(size_t bytes, void **whole)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    void *memory = mmap(NULL, bytes + TUTE_PAGE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char *aligned;
    *whole = memory == MAP_FAILED ? NULL : memory;
    if (*whole == NULL)
        return NULL;
    aligned = (char *)(((uintptr_t)memory + TUTE_PAGE - 1) & ~(uintptr_t)(TUTE_PAGE - 1));
    (void)madvise(aligned, bytes, MADV_HUGEPAGE);
    return aligned;
#else
    *whole = calloc(bytes + 64, 1);
    return *whole == NULL ? NULL : (void *)(((uintptr_t)*whole + 63) & ~(uintptr_t)63);
#endif
}

static void tute_release(void *whole, size_t bytes)
{
    if (whole == NULL)
        return;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    munmap(whole, bytes + TUTE_PAGE);
#else
    (void)bytes;
    free(whole);
#endif
}

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
