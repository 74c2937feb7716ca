#pragma once
// What a library of custom operators says of its operators: they cross the border between the host process and the
// program.
//
// Thread rule: plain values. Example: see client/client.h.

#include <cstdint>
#include <string>
#include <vector>

#include "providers/onnxruntime/protocol/archive.h"

namespace cutaway::onnxruntime {

// Numbers of ONNX Runtime.
enum class CustomRole : int32_t { kRequired = 0, kOptional = 1, kVariadic = 2 };

struct CustomParameter {
  int32_t element = 0;  // TensorProto.DataType; 0: any
  CustomRole role = CustomRole::kRequired;
  int32_t least = 1;        // of a variadic one
  bool homogeneous = true;  // of a variadic one: all of one type
};
struct CustomOperator {
  std::string domain;
  std::string name;
  std::string provider;  // execution provider that its kernel is for; empty: the CPU's
  int32_t sinceVersion = 1;
  int32_t lastVersion = 0;  // 0: none is the last
  uint32_t interfaceVersion = 0;
  bool infersShapes = false;
  std::vector<CustomParameter> inputs;
  std::vector<CustomParameter> outputs;
};

struct CustomLibraryPlace {
  std::string library;  // path
};
struct CustomOperatorList {
  std::vector<CustomOperator> operators;
};

template <typename A, Describes<CustomParameter> T>
void describe(A& archive, T& m) {
  archive(m.element, m.role, m.least, m.homogeneous);
}
template <typename A, Describes<CustomOperator> T>
void describe(A& archive, T& m) {
  archive(m.domain, m.name, m.provider, m.sinceVersion, m.lastVersion, m.interfaceVersion, m.infersShapes, m.inputs,
          m.outputs);
}
template <typename A, Describes<CustomLibraryPlace> T>
void describe(A& archive, T& m) {
  archive(m.library);
}
template <typename A, Describes<CustomOperatorList> T>
void describe(A& archive, T& m) {
  archive(m.operators);
}

}  // namespace cutaway::onnxruntime
