// Counts the calls that ask for memory, by standing in front of the C library's allocator.
#include "allocation_count.h"
#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic unsigned long count;

unsigned long allocation_count(void) { return count; }

void *malloc(size_t size) {
    __atomic_fetch_add((unsigned long *)&count, 1, __ATOMIC_RELAXED);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    __atomic_fetch_add((unsigned long *)&count, 1, __ATOMIC_RELAXED);
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    __atomic_fetch_add((unsigned long *)&count, 1, __ATOMIC_RELAXED);
    return __libc_realloc(old, size);
}

int posix_memalign(void **place, size_t alignment, size_t size) {
    __atomic_fetch_add((unsigned long *)&count, 1, __ATOMIC_RELAXED);
    void *made = __libc_memalign(alignment, size);
    if (made == NULL) return ENOMEM;
    *place = made;
    return 0;
}
