#pragma once
// NumPy's .npy format, versions 1 to 3 (numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
//
// Thread rule: pure apart from the file. Example: CUTAWAY_TRY(Tensor tensor, readNpy(bytes));

#include <functional>
#include <string>

#include "engine/schema/wire_reader.h"
#include "engine/tensor/tensor.h"

namespace cutaway::load {

bool isNpy(ByteSpan bytes);
// Little-endian numbers, booleans and strings in C or Fortran order. INVALID_ARGUMENT otherwise; pickled objects are
// refused.
Result<Tensor> readNpy(ByteSpan bytes);
// The whole file. Narrow floats become float32, 4- and 2-bit integers int8 or uint8.
Result<std::string> writeNpy(const Tensor& tensor);
// The same piece by piece, so that a large tensor is not held twice. NOT_IMPLEMENTED: texts whose longest one would
// make the file absurdly large (.npy pads all of them to it).
Result<void> writeNpyTo(const Tensor& tensor, const std::function<Result<void>(std::span<const std::byte>)>& write);

}  // namespace cutaway::load
