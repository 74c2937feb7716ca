#pragma once
// What libFuzzer feeds bytes to: every reader of files that are not models, by name.
//
// A target reads, reads back what it wrote where there is a writer, and judges the message of what it refused
// (message_rules.h). Thread rule: one thread. Example: CUTAWAY_FUZZ_TARGET=npy fuzz_readers corpus/npy
// -max_total_time=60

#include <span>
#include <string_view>

namespace cutaway::fuzz {

struct ReaderTarget {
  std::string_view name;
  void (*read)(std::string_view bytes);
};

std::span<const ReaderTarget> readerTargets();

}  // namespace cutaway::fuzz
