#pragma once
// What a vendor's library tells of a context binary: it crosses the border between the host process and the program.
//
// Numbers are the vendor's own (abi/qnn_system.h). Thread rule: plain values. Example: see client/client.h.

#include <cstdint>
#include <string>
#include <vector>

#include "providers/onnxruntime/protocol/archive.h"
#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

struct BinaryTensorFacts {
  std::string name;
  uint32_t dataType = 0;
  std::vector<uint32_t> dims;
  // A number q stands for (q + offset) x scale; of the first channel where each has its own.
  bool isQuantised = false;
  float scale = 0;
  int32_t offset = 0;
  int32_t axis = -1;      // of the channels; -1: one scale for all
  uint32_t channels = 0;  // that have scales of their own
};
struct BinaryGraphFacts {
  std::string name;
  std::vector<BinaryTensorFacts> inputs;
  std::vector<BinaryTensorFacts> outputs;
  bool hasMemory = false;  // whether the next three are known
  uint64_t spillFillBytes = 0;
  uint32_t vtcmBytes = 0;
  uint32_t optimizationLevel = 0;
};
struct BinaryFacts {
  uint32_t backend = 0;
  std::string build;       // of the compiler
  std::string backendApi;  // "5.51.0"
  uint32_t socModel = 0;   // 0: not told
  uint32_t architecture = 0;
  uint64_t blobBytes = 0;
  std::vector<BinaryGraphFacts> graphs;
};
struct BinaryPlace {
  std::string library;  // path of the library that reads it
  MemoryPlace binary;
};

template <typename A, Describes<BinaryTensorFacts> T>
void describe(A& archive, T& m) {
  archive(m.name, m.dataType, m.dims, m.isQuantised, m.scale, m.offset, m.axis, m.channels);
}
template <typename A, Describes<BinaryGraphFacts> T>
void describe(A& archive, T& m) {
  archive(m.name, m.inputs, m.outputs, m.hasMemory, m.spillFillBytes, m.vtcmBytes, m.optimizationLevel);
}
template <typename A, Describes<BinaryFacts> T>
void describe(A& archive, T& m) {
  archive(m.backend, m.build, m.backendApi, m.socModel, m.architecture, m.blobBytes, m.graphs);
}
template <typename A, Describes<BinaryPlace> T>
void describe(A& archive, T& m) {
  archive(m.library, m.binary);
}

}  // namespace cutaway::onnxruntime
