// posix_memalign of our programs. oneDNN does not look whether it got the block, and writes to address 0: there it gets
// an exception, which comes out of its calls as other exceptions do (engine/math/onednn_attempt.h).
#include <cerrno>
#include <cstring>
#include <new>

#include <dlfcn.h>
#include <malloc.h>

#include "engine/base/short_memory.h"

// The C library's header says that it never throws.
extern "C" int alignedBlock(void** block, std::size_t alignment, std::size_t sizeBytes) __asm__("posix_memalign");

namespace {

bool liesInOneDnn(void* code) {
  Dl_info found{};
  return ::dladdr(code, &found) != 0 && found.dli_fname != nullptr &&
         std::strstr(found.dli_fname, "libdnnl") != nullptr;
}

}  // namespace

extern "C" int alignedBlock(void** block, std::size_t alignment, std::size_t sizeBytes) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* const made = ::memalign(alignment, sizeBytes);
  if (made == nullptr && liesInOneDnn(__builtin_return_address(0))) throw cutaway::RefusedAllocation(sizeBytes);
  if (made == nullptr) return ENOMEM;
  *block = made;
  return 0;
}
