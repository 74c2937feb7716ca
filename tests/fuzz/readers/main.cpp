// libFuzzer's entry: the target is named by CUTAWAY_FUZZ_TARGET.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/readers/targets.h"

namespace {

const cutaway::fuzz::ReaderTarget* target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*texts*/) {
  const char* const wanted = std::getenv("CUTAWAY_FUZZ_TARGET");
  for (const cutaway::fuzz::ReaderTarget& each : cutaway::fuzz::readerTargets()) {
    if (wanted != nullptr && each.name == wanted) target = &each;
  }
  if (target != nullptr) return 0;
  std::fprintf(stderr, "CUTAWAY_FUZZ_TARGET is one of:");
  for (const cutaway::fuzz::ReaderTarget& each : cutaway::fuzz::readerTargets())
    std::fprintf(stderr, " %.*s", static_cast<int>(each.name.size()), each.name.data());
  std::fprintf(stderr, "\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  target->read({reinterpret_cast<const char*>(data), size});
  return 0;
}
