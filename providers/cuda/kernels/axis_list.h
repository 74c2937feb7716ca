#pragma once
// What shape-like operators read over and over: axes, lists of integers in host memory, sizes of elements.
//
// All of it is checked: axes and lists come from files and from run-time inputs. INVALID_ARGUMENT names the number and
// its bound. Thread rule: pure functions. Example: CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
// CUTAWAY_TRY(const int64_t axis, resolveAxis(m_axis, data->rank()));

#include <cstdint>
#include <span>

#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {

// The tensor of an input slot, or INVALID_ARGUMENT when the slot is empty or holds something else.
Result<const Tensor*> requireTensor(const GpuCall& call, size_t slot);
inline const Tensor* optionalTensor(const GpuCall& call, size_t slot) {
  return slot < call.inputCount() ? call.input(slot) : nullptr;
}

// A list of `count` numbers, without heap memory while it is short.
Dims filledList(size_t count, int64_t value);
// Elements of an integer tensor (int32 or int64) that lies in host memory.
Result<Dims> readIntegers(const Tensor& tensor);
Result<int64_t> readInteger(const Tensor& tensor);

// -rank..rank-1 becomes 0..rank-1.
Result<int64_t> resolveAxis(int64_t axis, size_t rank);
// The same for a list without duplicates.
Result<Dims> resolveAxes(std::span<const int64_t> axes, size_t rank);
// Product of dims[begin, end). For dims of an existing tensor.
int64_t productOf(std::span<const int64_t> dims, size_t begin, size_t end);
Dims rowMajorStrides(std::span<const int64_t> dims);
// The integer list attribute, or an empty list.
Dims listAttribute(const KernelInfo& info, std::string_view name);

// Bytes of one element; 0 for strings and packed types.
int64_t elementBytes(ElementType type);
// Types that fill whole bytes: all that moving operators take.
inline constexpr ElementType kMovable[] = {
    ElementType::kFloat,          ElementType::kFloat16,    ElementType::kBfloat16,       ElementType::kDouble,
    ElementType::kInt8,           ElementType::kUint8,      ElementType::kInt16,          ElementType::kUint16,
    ElementType::kInt32,          ElementType::kUint32,     ElementType::kInt64,          ElementType::kUint64,
    ElementType::kBool,           ElementType::kComplex64,  ElementType::kComplex128,     ElementType::kFloat8E4M3FN,
    ElementType::kFloat8E4M3FNUZ, ElementType::kFloat8E5M2, ElementType::kFloat8E5M2FNUZ, ElementType::kFloat8E8M0};
inline constexpr TypeRule kMovableFirst[] = {{0, kMovable}};
inline constexpr TypeRule kMovableAll[] = {{TypeRule::kAllInputs, kMovable}};

// NOT_IMPLEMENTED unless the input is a tensor of elements that fill whole bytes (what the rules of a row say where the
// type is known).
Result<void> checkMovable(const KernelInfo& info, size_t slot);

inline const void* bytesAt(const void* data, int64_t offsetBytes) {
  return static_cast<const std::byte*>(data) + offsetBytes;
}
inline void* bytesAt(void* data, int64_t offsetBytes) {
  return static_cast<std::byte*>(data) + offsetBytes;
}

}  // namespace cutaway::cuda
