#pragma once
// What kernels of this provider read over and over, from engine/operators: axes, lists of integers, operands; and how a
// row makes its kernel.

#include <memory>

#include "engine/operators/axes.h"
#include "engine/operators/dims.h"
#include "engine/operators/integer_list.h"
#include "engine/operators/operands.h"
#include "engine/provider/kernel.h"

namespace cutaway::cpu {

using operators::filledList;
using operators::listAttribute;
using operators::optionalTensor;
using operators::productOf;
using operators::readInteger;
using operators::readIntegers;
using operators::requireTensor;
using operators::resolveAxes;
using operators::resolveAxis;
using operators::rowMajorStrides;

// A row's create for kernels whose constructor takes the info and cannot fail.
template <typename KernelType>
Result<std::unique_ptr<Kernel>> makeKernel(const KernelInfo& info) {
  return std::unique_ptr<Kernel>(std::make_unique<KernelType>(info));
}

}  // namespace cutaway::cpu
