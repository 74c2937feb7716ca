#pragma once
// Library work in plain data: matrix products, convolutions, attention. The backend makes an Operation from a
// description once (it chooses an algorithm), and runs it often.
//
// Element types are those of engine/tensor/element_type.h. Sizes are elements, strides too. All tensors are dense
// unless strides say otherwise. Thread rule: descriptions are values; an Operation may run on several streams at once,
// each call with its own workspace. Example:
//   MatmulDescription description{.m = 128, .n = 768, .k = 768, .a = ElementType::kFloat16, ...};
//   std::unique_ptr<Operation> product;  if (Status status = backend.makeMatmul(description, store, product);
//   !status.ok()) ...; product->run({.pointers = pointers, .workspace = scratch}, stream);

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tensor/element_type.h"
#include "providers/cuda/backend/status.h"

namespace cutaway::cuda {

struct StreamTag;
using Stream = StreamTag*;

// Results of a search or a compilation under a key that names everything they depend on (description, device, library
// version). The provider keeps them: in memory, on disk, in a context binary.
class ArtifactStore {
 public:
  virtual ~ArtifactStore() = default;
  virtual bool find(std::string_view key, std::vector<std::byte>& bytes) const = 0;
  virtual void keep(std::string_view key, std::span<const std::byte> bytes) = 0;
  // True: nothing may be searched or compiled (a context is being restored); what is missing is kUnsupported.
  virtual bool sealed() const { return false; }
};

enum class Activation : uint8_t {
  kNone,
  kRelu,
  kClip,
  kLeakyRelu,
  kSigmoid,
  kTanh,
  kHardSigmoid,
  kHardSwish,
  kGeluErf,
  kGeluTanh,
  kSilu,
  kElu
};

// What follows a product or convolution in the same kernel: y = activation(alpha * product + bias + residual).
struct Epilogue {
  bool bias = false;      // matmul: n values (one per column); convolution: one per output channel. Of type `biasType`
  bool residual = false;  // as the output
  Activation activation = Activation::kNone;
  float first = 0;   // kClip: low; kLeakyRelu, kElu: alpha; kHardSigmoid: alpha
  float second = 0;  // kClip: high; kHardSigmoid: beta
  bool operator==(const Epilogue&) const = default;
};

enum class MathMode : uint8_t { kPrecise, kTf32, kLowerAccumulation };

// y[batch, m, n] = epilogue(alpha * a[batch, m, k] * b[batch, k, n]), row-major. transposeA: a is stored [k, m];
// transposeB: b is stored [n, k]. Operands: a, b, y, (bias), (residual).
struct MatmulDescription {
  int64_t batch = 1, m = 0, n = 0, k = 0;
  bool transposeA = false, transposeB = false;
  int64_t batchStrideA = 0, batchStrideB = 0,
          batchStrideY = 0;                                // elements; 0: the same matrix for every batch (a and b)
  int64_t rowStrideA = 0, rowStrideB = 0, rowStrideY = 0;  // elements between stored rows; 0: dense
  ElementType a = ElementType::kFloat, b = ElementType::kFloat, y = ElementType::kFloat;  // int8 x int8 gives int32
  ElementType bias = ElementType::kFloat;
  float alpha = 1;
  Epilogue epilogue;
  MathMode math = MathMode::kPrecise;
  std::string key() const;  // every field, for ArtifactStore
  bool operator==(const MatmulDescription&) const = default;
};

// Cross-correlation as ONNX Conv has it, 1 to 3 spatial axes. Operands: x, w, y, (bias), (residual).
struct ConvolutionDescription {
  int spatial = 2;
  int64_t batch = 1, channels = 0, filters = 0, groups = 1;
  std::array<int64_t, 3> input{1, 1, 1}, kernel{1, 1, 1}, output{1, 1, 1}, stride{1, 1, 1}, dilation{1, 1, 1};
  std::array<int64_t, 3> padBegin{}, padEnd{};
  bool channelsLast = false;  // x [n, spatial, c], w [filters, kernel, c / groups], y [n, spatial, filters]; else
                              // channels first, as ONNX
  bool transposed = false;    // ConvTranspose: w is [channels, filters / groups, kernel] (channels last: [channels,
                              // kernel, filters / groups])
  ElementType type = ElementType::kFloat, bias = ElementType::kFloat;
  Epilogue epilogue;
  MathMode math = MathMode::kPrecise;
  std::string key() const;
  bool operator==(const ConvolutionDescription&) const = default;
};

// y = softmax(scale * q k^T + mask) v per head. q [batch, heads, queries, size], k and v [batch, keyHeads, keys, size /
// valueSize]; strides say how they really lie (batch, head, row). Operands: q, k, v, y, (mask), (keyLengths),
// (queryLengths).
struct AttentionDescription {
  int64_t batch = 1, heads = 1, keyHeads = 1, queries = 1, keys = 1, size = 64, valueSize = 64;
  std::array<int64_t, 3> strideQ{}, strideK{}, strideV{}, strideY{};
  ElementType type = ElementType::kFloat16;
  float scale = 1;
  bool causal = false;
  bool causalFromEnd = true;  // the last query sees the last key (decoding with a cache); false: query i sees keys 0..i
  int64_t window = -1;        // keys seen before the query's own; -1: all
  float softcap = 0;
  bool mask = false;  // added to the scores: type `maskType`, [batch or 1, heads or 1, queries, keys] by maskStride (0:
                      // the same for all)
  ElementType maskType = ElementType::kFloat;
  std::array<int64_t, 3> maskStride{};
  bool keyLengths = false;  // int32 [batch]: keys from there on are not seen
  std::string key() const;
  bool operator==(const AttentionDescription&) const = default;
};

struct OperationCall {
  std::span<void* const> pointers;  // operands in the description's order
  void* workspace = nullptr;
};

class Operation {
 public:
  virtual ~Operation() = default;
  virtual size_t workspaceBytes() const = 0;
  virtual Status run(const OperationCall& call, Stream stream) const = 0;
  virtual std::string_view variant() const = 0;  // "cublasLt algorithm 6, tile 128x128", "cudnn engine 38"
};

// A kernel compiled at run time.
class CompiledProgram {
 public:
  virtual ~CompiledProgram() = default;
  // arguments: pointers to the kernel's arguments in order. elements: grid-stride loop over so many; blocks 0: as many
  // as suit.
  virtual Status launch(std::span<void* const> arguments, int64_t elements, uint32_t blocks, uint32_t threads,
                        uint32_t sharedBytes, Stream stream) const = 0;
};

}  // namespace cutaway::cuda
