// Preloaded into a program: fails one of its allocations, or tells where they come from. Allocations are counted from main() on.
//
//   ALLOCATION_SITES=FILE   writes "NUMBER BYTES STACK" for the first allocation of each distinct call stack (its innermost frames);
//                           STACK is the same number in every run of the program
//   FAIL_ALLOCATION=NUMBER  that one gives nothing
//   FAIL_TRACE=FILE         and its call stack is written there
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

enum { kSlots = 1 << 20, kFrames = 8, kOwnFrames = 2, kTracedFrames = 40 };
static const uintptr_t kLibraries = 1ull << 40;  // libraries lie closer to each other than this, the program does not
static atomic_ullong seen[kSlots];
static atomic_long count;
static atomic_int started;
static long failing = -1;
static FILE* sites = NULL;
static int trace = -1;
static _Thread_local int isInside = 0;
// Where the system put the program and its libraries this time: these keep their distances to each other.
static uintptr_t programBase = 0, libraryBase = 0;

static uintptr_t baseOf(void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? (uintptr_t)info.dli_fbase : 0;
}

static uintptr_t placeOf(void* frame) {
  const uintptr_t address = (uintptr_t)frame;
  return address >= libraryBase - kLibraries ? address - libraryBase : address - programBase;
}

// A number for this call stack when it is new, otherwise 0.
static unsigned long long newStack(void) {
  void* frames[kFrames + kOwnFrames];
  const int depth = backtrace(frames, kFrames + kOwnFrames);
  unsigned long long hash = 1469598103934665603ull;
  for (int i = kOwnFrames; i < depth; ++i) hash = (hash ^ placeOf(frames[i])) * 1099511628211ull;
  hash |= 1;
  size_t slot = hash >> 44;
  for (int tries = 0; tries < kSlots; ++tries, slot = (slot + 1) % kSlots) {
    unsigned long long expected = 0;
    if (atomic_compare_exchange_strong(&seen[slot], &expected, hash)) return hash;
    if (expected == hash) return 0;
  }
  return 0;
}

static int mustFail(size_t bytes) {
  if (isInside || !atomic_load(&started)) return 0;
  const long number = atomic_fetch_add(&count, 1);
  if (number != failing && sites == NULL) return 0;
  isInside = 1;
  const unsigned long long stack = sites != NULL ? newStack() : 0;
  if (stack != 0) fprintf(sites, "%ld %zu %llx\n", number, bytes, stack);
  if (number == failing && trace >= 0) {
    void* frames[kTracedFrames];
    backtrace_symbols_fd(frames, backtrace(frames, kTracedFrames), trace);
  }
  isInside = 0;
  if (number != failing) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t bytes) { return mustFail(bytes) ? NULL : __libc_malloc(bytes); }
void* calloc(size_t number, size_t each) { return mustFail(number * each) ? NULL : __libc_calloc(number, each); }
void* realloc(void* old, size_t bytes) { return mustFail(bytes) ? NULL : __libc_realloc(old, bytes); }
void* memalign(size_t alignment, size_t bytes) { return mustFail(bytes) ? NULL : __libc_memalign(alignment, bytes); }
void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** out, size_t alignment, size_t bytes) {
  void* const made = memalign(alignment, bytes);
  if (made == NULL) return ENOMEM;
  *out = made;
  return 0;
}

static int (*realMain)(int, char**, char**);

static int countedMain(int argc, char** argv, char** environment) {
  isInside = 1;
  void* frames[kFrames];
  backtrace(frames, kFrames);  // loads what it needs now
  const char* const path = getenv("ALLOCATION_SITES");
  const char* const number = getenv("FAIL_ALLOCATION");
  if (path != NULL) sites = fopen(path, "w");
  if (sites != NULL) setvbuf(sites, NULL, _IOLBF, BUFSIZ);  // programs may be ended from outside
  if (number != NULL) failing = atol(number);
  const char* const traced = getenv("FAIL_TRACE");
  if (traced != NULL) trace = open(traced, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  unsetenv("LD_PRELOAD");  // programs that this one starts have their memory
  isInside = 0;
  atomic_store(&started, 1);
  return realMain(argc, argv, environment);
}

int __libc_start_main(int (*program)(int, char**, char**), int argc, char** argv, void (*init)(void), void (*fini)(void),
                      void (*rtldFini)(void), void* stackEnd) {
  int (*next)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void), void*) =
      dlsym(RTLD_NEXT, "__libc_start_main");
  realMain = program;
  programBase = baseOf((void*)program);
  libraryBase = baseOf((void*)__libc_malloc);
  return next(countedMain, argc, argv, init, fini, rtldFini, stackEnd);
}
