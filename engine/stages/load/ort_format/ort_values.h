#pragma once
// Types and tensors of onnxruntime's model format.
//
// Thread rule: pure over the settings in hand.
// Example: CUTAWAY_TRY(NamedTensor weight, ort::readTensor(table, keepAlive, copiedBytes));

#include "engine/schema/proto_reader.h"
#include "engine/stages/load/ort_format/flat_buffer.h"

namespace cutaway::load::ort {

// INVALID_GRAPH: nested too deeply; NOT_IMPLEMENTED: an element type or kind that is not known.
Result<ValueType> readType(const FlatTable& table);

// copiedBytes grows by what had to be copied. INVALID_GRAPH: the bytes do not fit the dimensions; NOT_IMPLEMENTED: the
// bytes lie in another file.
Result<NamedTensor> readTensor(const FlatTable& table, const std::shared_ptr<const void>& keepAlive,
                               int64_t& copiedBytes);
// Named as its values are.
Result<NamedTensor> readSparseTensor(const FlatTable& table, const std::shared_ptr<const void>& keepAlive,
                                     int64_t& copiedBytes);

}  // namespace cutaway::load::ort
