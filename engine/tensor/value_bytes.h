#pragma once
// What values take beyond the bytes of their tensors: texts of strings, elements of sequences.
//
// Bytes that several elements share are counted for each. Thread rule: pure. Example:
//   if (valueBytes(sequence) > limit) return fail(noMemoryFor("'all'", valueBytes(sequence)));

#include <algorithm>
#include <cstdint>
#include <limits>

#include "engine/tensor/runtime_value.h"

namespace cutaway {

// 0 where elements are no strings.
inline int64_t textBytes(const Tensor& tensor) {
  if (tensor.type() != ElementType::kString) return 0;
  int64_t bytes = 0;
  for (const std::string& text : tensor.span<std::string>())
    bytes += static_cast<int64_t>(text.size());
  return bytes;
}

inline int64_t longestText(const Tensor& tensor) {
  if (tensor.type() != ElementType::kString) return 0;
  size_t longest = 0;
  for (const std::string& text : tensor.span<std::string>())
    longest = std::max(longest, text.size());
  return static_cast<int64_t>(longest);
}

inline int64_t valueBytes(const RuntimeValue& value) {
  if (value.isTensor()) return value.tensor().sizeBytes() + textBytes(value.tensor());
  if (value.isMap()) return valueBytes(value.map().keys) + valueBytes(value.map().values);
  if (!value.isSequence()) return 0;
  int64_t bytes = 0;
  for (const RuntimeValue& item : value.sequence().items)
    bytes += static_cast<int64_t>(sizeof item) + valueBytes(item);
  return bytes;
}

// The most that strings can take that are each made of one text of every input, of which `longest` is the sum of the
// longest: what joins, repeats, picks or cuts texts makes no longer ones. The largest number where it would not fit.
inline int64_t mostStringBytes(int64_t count, int64_t longest) {
  int64_t bytes = 0;
  const bool isTooLarge = __builtin_mul_overflow(count, static_cast<int64_t>(sizeof(std::string)) + longest, &bytes);
  return isTooLarge ? std::numeric_limits<int64_t>::max() : bytes;
}

}  // namespace cutaway
