// libFuzzer's entry: the target is named by CUTAWAY_FUZZ_TARGET. Half of the changes know JSON and models.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/fuzz/readers/targets.h"

namespace {

const cutaway::fuzz::ReaderTarget* target = nullptr;

}  // namespace

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maxSize);

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

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned seed) {
  cutaway::fuzz::Random random(seed);
  if (random.oneIn(2)) {
    const auto changed = cutaway::fuzz::mutatedByForm({reinterpret_cast<const char*>(data), size}, random);
    if (changed && !changed->empty() && changed->size() <= maxSize) {
      std::memcpy(data, changed->data(), changed->size());
      return changed->size();
    }
  }
  return LLVMFuzzerMutate(data, size, maxSize);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  target->read({reinterpret_cast<const char*>(data), size});
  return 0;
}
