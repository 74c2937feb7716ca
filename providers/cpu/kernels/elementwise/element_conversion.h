#pragma once
// Conversion between element types: every pair, in two steps through one of four wide kinds, so that n types need 2n
// loops and not n x n.
//
// Rules (ONNX Cast): integers that do not fit drop their high bits; floats become integers by truncation, through
// int64, and what does not fit int64 becomes its smallest value; everything that is not zero is true; text is read and
// written as decimal numbers, "NaN", "INF", "-INF". Thread rule: pure. Example: CUTAWAY_TRY(const ElementConverter
// converter, ElementConverter::make(ElementType::kFloat16, ElementType::kInt4, {}));
//          CUTAWAY_CHECK(converter.convert(from, to, 0, count));

#include <cstdint>

#include "engine/base/result.h"
#include "engine/tensor/narrow_float.h"

namespace cutaway::cpu {

struct ConversionOptions {
  bool saturate = true;
  ScaleRounding rounding = ScaleRounding::kUp;  // to float8e8m0
};

enum class WideKind : uint8_t { kFloat, kDouble, kInt64, kUint64 };

// Elements of a run; begins of runs are multiples of this, so that packed elements start at whole bytes.
inline constexpr int64_t kConversionBlock = 256;

// count <= kConversionBlock elements from `offset` on, into or out of an array of the wide kind. read gives the
// position of the first element that is not a number (text), else -1.
using ReadRun = int64_t (*)(const void* base, int64_t offset, int64_t count, void* wide, ElementType type);
using WriteRun = void (*)(const void* wide, int64_t offset, int64_t count, void* base, ElementType type,
                          const ConversionOptions& options);

class ElementConverter {
 public:
  // NOT_IMPLEMENTED for complex numbers.
  static Result<ElementConverter> make(ElementType from, ElementType to, const ConversionOptions& options);
  // Elements [begin, end) of both arrays; begin is a multiple of kConversionBlock. INVALID_ARGUMENT when text is not a
  // number.
  ElementType from() const { return m_from; }
  Result<void> convert(const void* from, void* to, int64_t begin, int64_t end) const;

 private:
  ElementType m_from = ElementType::kUndefined;
  ElementType m_to = ElementType::kUndefined;
  ConversionOptions m_options;
  ReadRun m_read = nullptr;
  WriteRun m_write = nullptr;
};

// Text of elements, see element_text.cpp.
ReadRun textReader(WideKind kind);
WriteRun textWriter(WideKind kind);

}  // namespace cutaway::cpu
