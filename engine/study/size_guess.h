#pragma once
// A size for an open dimension, guessed from its name and place.
//
// Thread rule: pure. Example: guessSize("sequence_length", 1, type)   // 128

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/tensor/shape.h"

namespace cutaway::study {

// symbol: empty where it has no name. type: of the input that has it, a tensor with a shape. The first axis counts as
// the batch: 1.
int64_t guessSize(const std::string& symbol, size_t axis, const ValueType& type);

}  // namespace cutaway::study
