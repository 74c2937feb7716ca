#pragma once
// Runs a small model on the emulator (cuda{backend=emulator}, strict) and on cpu, and compares: how kernels of this
// provider are tested without a GPU.
//
// Every node must have gone to cuda, unless the case says which provider it belongs to. Each session runs twice, so
// that what the first run keeps (scratch, recordings) is used, too. Thread rule: each call stands alone. Example:
//   const CudaCase each{.nodes = "y = Relu (x)", .inputs = {{"x", randomOf(ElementType::kFloat, {3, 5}, 1)}}, .outputs
//   = "float y"}; QCOMPARE(QString::fromStdString(differenceOf(each)), QString());

#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/session/session.h"

namespace cutaway::testing {

struct CudaCase {
  std::string nodes;                                         // lines of the text notation: "y = Add (a, b)"
  std::vector<std::pair<std::string, Tensor>> inputs;        // fed; their types and dims are declared
  std::string outputs = "float y";                           // with types, as the notation has them
  std::string constants = {};                                // "int64[1] axes = {0}, float[2] w = {1, 2}"
  std::vector<std::pair<std::string, Tensor>> weights = {};  // initializers given as tensors
  int opset = 22;
  std::map<std::string, int> domains = {};  // further opset imports: {{"com.microsoft", 1}}
  int level = 0;                            // optimisation level of the session on cuda; cpu's is 0
  std::string options = "strict=1";         // of the provider, beside backend=emulator
  std::string onProvider = "cuda";          // where every node must be; "": anywhere
  std::vector<std::string> fused = {};      // operators that must be among the nodes after all edits
  double relative = -1, absolute = -1;      // negative: by the output's type
};

// Numbers that suit the type: floats uniform in [low, high), integers in that range, bool by halves.
Tensor randomOf(ElementType type, const std::vector<int64_t>& dims, uint32_t seed, double low = -1, double high = 1);
// Values converted to the type.
Tensor tensorOf(ElementType type, const std::vector<int64_t>& dims, const std::vector<double>& values);

// Empty when both give the same and every node was where it should be; else what is wrong.
std::string differenceOf(const CudaCase& each);
// What the session says when it is made or run on cuda alone before cpu ("" when nothing): for refusals and injected
// failures.
std::string errorOf(const CudaCase& each);

}  // namespace cutaway::testing
