#pragma once
// Tensors in files of their own: .pb (TensorProto, SequenceProto, MapProto, OptionalProto) and .npy.
//
// Thread rule: pure apart from the file. Example: CUTAWAY_TRY(RuntimeValue value, readTensorFile("input_0.pb", type));

#include <filesystem>

#include "engine/tensor/runtime_value.h"

namespace cutaway::load {

struct NamedValue {
  std::string name;  // as the file gives it; empty for .npy
  RuntimeValue value;
};

// `expected` decides how a .pb file is read (tensor, sequence, map, optional); unknown: tensor. INVALID_PROTOBUF /
// INVALID_ARGUMENT with the file named.
Result<NamedValue> readTensorFile(const std::filesystem::path& path, const ValueType& expected);
enum class TensorFileFormat { kNpy, kPb };
// .npy has no bfloat16, fp8 or 4-bit: those are written as float32 (narrow floats) or int8/uint8 (4- and 2-bit).
Result<void> writeTensorFile(const std::filesystem::path& path, std::string_view name, const RuntimeValue& value,
                             TensorFileFormat format);

}  // namespace cutaway::load
