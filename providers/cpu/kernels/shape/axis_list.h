#pragma once
// What shape-like operators read over and over: axes, lists of integers, tensors that must be there.
//
// All of it is checked: axes and lists come from files and from run-time inputs. INVALID_ARGUMENT names the number and
// its bound. Thread rule: pure functions. Example: CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
// CUTAWAY_TRY(const int64_t axis, resolveAxis(m_axis, data->rank()));

#include <cstdint>
#include <memory>
#include <span>

#include "engine/provider/kernel.h"

namespace cutaway {

// The tensor of an input slot, or INVALID_ARGUMENT when the slot is empty or holds something else.
Result<const Tensor*> requireTensor(const KernelContext& context, size_t slot);

// The tensor of an optional slot, or nullptr.
inline const Tensor* optionalTensor(const KernelContext& context, size_t slot) {
  return slot < context.inputCount() ? context.input(slot) : nullptr;
}

// A list of `count` numbers, without heap memory while it is short.
Dims filledList(size_t count, int64_t value);

// Elements of an integer tensor (int32 or int64) in order.
Result<Dims> readIntegers(const Tensor& tensor);
// The one element of an integer tensor.
Result<int64_t> readInteger(const Tensor& tensor);

// -rank..rank-1 becomes 0..rank-1.
Result<int64_t> resolveAxis(int64_t axis, size_t rank);
// The same for a list without duplicates.
Result<Dims> resolveAxes(std::span<const int64_t> axes, size_t rank);

// Product of dims[begin, end). For dims of an existing tensor.
int64_t productOf(std::span<const int64_t> dims, size_t begin, size_t end);

// The integer list attribute, or an empty list.
Dims listAttribute(const KernelInfo& info, std::string_view name);

// A row's create for kernels whose constructor takes the info and cannot fail.
template <typename KernelType>
Result<std::unique_ptr<Kernel>> makeKernel(const KernelInfo& info) {
  return std::unique_ptr<Kernel>(std::make_unique<KernelType>(info));
}

}  // namespace cutaway
