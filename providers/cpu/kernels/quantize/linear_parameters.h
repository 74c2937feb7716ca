#pragma once
// A scale and a zero point of a whole 8-bit tensor, as the com.microsoft operators give them: two inputs, the zero
// point optional.
//
// Thread rule: pure functions.
// Example: CUTAWAY_TRY(const LinearParameters x, readLinear(context, "QLinearAdd", 1, 2, a->type()));  x.toFloat(byte);

#include <array>

#include "providers/cpu/kernels/quantize/integer_operand.h"
#include "providers/cpu/kernels/quantize/quantized_run.h"

namespace cutaway::cpu {

struct LinearParameters {
  float scale = 1;
  int32_t zero = 0;
  bool isSigned = false;

  // The byte as its type says, without the zero point.
  int32_t distance(uint8_t byte) const {
    return (isSigned ? static_cast<int8_t>(byte) : static_cast<int32_t>(byte)) - zero;
  }
  float toFloat(uint8_t byte) const { return static_cast<float>(distance(byte)) * scale; }
  // round(units) + zero point, saturated: units are multiples of the scale.
  uint8_t fromUnits(float units) const { return rounded(units, static_cast<float>(zero)); }
  // round(units + zero point), saturated: as onnxruntime has it in means of windows. Exact halves differ.
  uint8_t fromUnitsAndZero(float units) const { return rounded(units + static_cast<float>(zero), 0.0F); }
  uint8_t fromFloat(float value) const { return fromUnits(value / scale); }
  bool operator==(const LinearParameters&) const = default;

 private:
  uint8_t rounded(float units, float shift) const {
    return static_cast<uint8_t>(static_cast<int32_t>(
        requantize(units, shift, quantRange(isSigned ? ElementType::kInt8 : ElementType::kUint8))));
  }
};

// zeroSlot may be absent. The tensor they belong to has elements of `type`.
Result<LinearParameters> readLinear(const KernelContext& context, std::string_view op, size_t scaleSlot,
                                    size_t zeroSlot, ElementType type);

// An 8-bit tensor, or INVALID_ARGUMENT.
Result<const Tensor*> requireBytes(const KernelContext& context, std::string_view op, size_t slot);

// What every byte becomes.
using ByteTable = std::array<uint8_t, 256>;
// Moves bytes from one scale and zero point to another.
ByteTable rescaleTable(const LinearParameters& from, const LinearParameters& to);
void applyTable(const ByteTable& table, const uint8_t* from, uint8_t* to, int64_t count);

}  // namespace cutaway::cpu
