#pragma once
// A group made ready for one set of shapes and one number of threads: primitives in order, and where each of their
// operands lies.
//
// Thread rule: immutable once built; shared by all frames. Example: see group_kernel.cpp.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/math/exact_maximum.h"
#include "engine/math/own_convolution.h"
#include "providers/onednn/library.h"

namespace cutaway::onednn {

struct PlanBuffer {
  enum class Kind : uint8_t { kInput, kOutput, kConstant, kWorking };
  Kind kind = Kind::kWorking;
  uint32_t slot = 0;  // of the fused node, for inputs and outputs
  size_t sizeBytes = 0;
  size_t offset = 0;                      // of working memory, in the scratch block
  int32_t firstStep = -1, lastStep = -1;  // that touch it
  std::shared_ptr<const void> bytes;      // of a constant
};

// One memory object of the library: a buffer seen in one layout.
struct PlanMemory {
  uint32_t buffer = 0;
  Descriptor descriptor;
};

// A max pooling again, by a plain loop, where its input holds what the library's maximum passes over.
struct ExactMaximum {
  math::PoolingShape shape;
  math::ActivationStrides from, to;
  uint32_t source = 0, target = 0;  // index into memories
};

// A convolution by our own loops, in a primitive's place. Memories are indexes; all but the scratch hold floats.
struct OwnStep {
  static constexpr uint32_t kNone = ~uint32_t{0};
  std::shared_ptr<const math::OwnConvolution> algorithm;
  math::Activation activation;
  uint32_t source = 0, weights = 0, bias = kNone, residual = kNone, target = 0, scratch = 0;
};

// An activation by our own loop, over memory without padding.
struct OwnActivation {
  math::Activation activation;
  uint32_t source = 0, target = 0;  // index into memories
};

// Parts one behind the other along an axis, by our own copies: `rows` times a run of each part.
struct OwnConcat {
  struct Part {
    uint32_t source = 0;  // index into memories
    size_t bytes = 0;     // of a run
  };
  std::vector<Part> parts;
  uint32_t target = 0;
  int64_t rows = 1;
};

struct PlanStep {
  dnnl::primitive primitive;
  std::vector<std::pair<int, uint32_t>> arguments;   // the library's name of the operand, index into memories
  int threads = 1;                                   // it was made for, and runs with
  std::shared_ptr<const ExactMaximum> exactMaximum;  // of float max poolings only
  std::shared_ptr<const OwnActivation> activation;   // instead of the primitive
  std::shared_ptr<const OwnConcat> concat;           // instead of the primitive
  std::shared_ptr<const OwnStep> own;                // instead of the primitive
};

struct PlanFigures {
  int primitives = 0;  // reorders not counted
  int reorders = 0;
  int fused = 0;               // nodes that run as post-operations of another's primitive
  std::string implementation;  // of the primitive with the most work
};

struct Plan {
  std::vector<std::vector<int64_t>> inputDims, outputDims;  // as ONNX has them, by slot
  int threads = 1;
  std::vector<PlanBuffer> buffers;
  std::vector<PlanMemory> memories;
  std::vector<PlanStep> steps;
  size_t scratchBytes = 0;
  PlanFigures figures;
  std::vector<ElementType> inputTypes, outputTypes;  // by slot
  std::vector<uint8_t> fusedLinks;      // by node index: how many of the nodes behind it run inside its primitive;
                                        // kNotTried where nothing was tried
  std::vector<uint32_t> readConstants;  // value indexes of constants whose numbers are used as the model has them
};
inline constexpr uint8_t kNotTried = 0xff;

// Gives every working buffer its place; buffers that are never needed at once share bytes. Sets offsets and
// scratchBytes.
void placeWorkingBuffers(Plan& plan);

}  // namespace cutaway::onednn
