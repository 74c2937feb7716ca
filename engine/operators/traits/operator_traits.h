#pragma once
// What is known of an operator apart from any kernel: one row per operator, in a file per family.
//
// Costs, layout rules, chains of elementwise operators, in-place hints and passes read the rows; none keeps a list of
// operators of its own. A row says what the operator means, not what a provider can do with it: types, versions and
// forms that have a kernel stand in the provider's own rows.
// To add an operator: a row in the file of its family. To add a family: a file here with `OperatorRows
// traits_<family>()` and its name in CMakeLists.txt. Thread rule: immutable.
// Example: const OperatorTraits* traits = findTraits(node);  if (traits != nullptr && traits->relation == ...)

#include <array>
#include <span>
#include <string_view>

#include "engine/graph/graph.h"
#include "engine/operators/cost/cost_rules.h"
#include "engine/operators/element_function.h"

namespace cutaway::operators {

// Where the elements of the outputs come from.
enum class Relation : uint8_t {
  kOther,
  kElementwise,  // from the element at the same place of the first input, whose dims the output has
  kBroadcast,    // from the elements at the same place of all inputs, broadcast as numpy does
  kQuantize,     // elementwise, with scales and zero points that may lie along attribute "axis"
  kView,         // the elements of the first input under another shape: nothing moves
  kJoin,         // the inputs one after another along attribute "axis"
  kSplit,        // parts of the first input along attribute "axis"
  kMovement,     // elements of the inputs at other places
  kWindow,       // from a window of the first input's spatial axes
  kReduction,    // from all elements along some axes
};

// How an operator that is no view touches memory.
enum class Traffic : uint8_t {
  kAll,        // reads every input, writes every output
  kShapeOnly,  // reads no elements of its inputs
  kPicks,      // reads no more of its first input than it writes
};

// What the operator has to do with images [N, C, spatial axes...].
enum class ImageRole : uint8_t {
  kNone,
  kReads,    // its first input and its first output are images
  kFollows,  // it means the same in any order of axes, by its relation
};

// What people look for in a picture of a graph.
enum class Family : uint8_t {
  kNone,
  kProduct,        // convolutions, matrix products, recurrent layers, attention
  kActivation,     // and softmax
  kNormalization,  // and pooling, and resampling of images
  kArithmetic,     // and reductions
  kMovement,
  kControl,
  kType,  // changes of the element type
};

// Operations: so many for each element of the first output (or first input), or a formula. None: 0, it only moves data.
// atMost: a bound for nodeWork where no formula says what it will be, but shapes and attributes bound it.
struct Flops {
  int perOutput = 0;
  int perInput = 0;
  cost::Rule rule = nullptr;
  cost::Rule atMost = nullptr;
  bool linear = false;  // nobody counts them, but they grow as its inputs and outputs do
};

// A float attribute of an elementwise function, and what it is where the node does not say.
struct Parameter {
  std::string_view attribute = {};  // empty: none
  float otherwise = 0;
};

// An output that may be written over an input; onnxruntime's CPU kernels declare it. Source: MayInplace, Alias and
// VariadicAlias in onnxruntime/core/providers/cpu, as the allocations of onnxruntime 1.31.1 show them.
struct OverInput {
  int input = 0;
  int output = 0;
  bool always = false;  // the output is the input under another shape (Alias)
};

struct OperatorTraits {
  std::string_view opType;
  std::string_view domain = {};
  Family family = Family::kNone;
  Relation relation = Relation::kOther;
  Flops flops = {};
  Traffic traffic = Traffic::kAll;
  ImageRole image = ImageRole::kNone;
  ElementFunction function = ElementFunction::kNone;
  std::array<Parameter, 2> parameters = {};         // a and b of the function
  std::array<Parameter, 2> earlierParameters = {};  // of versions before `since`, where the function is the same one
  int32_t since = 1;  // the version from which function, parameters and broadcasting are as said here
  std::span<const OverInput> overInputs = {};
  bool piecewiseConstant = false;  // no small change of its inputs changes its outputs: no gradient goes back
};
using OperatorRows = std::span<const OperatorTraits>;

// nullptr: an operator without a row. Operators of com.microsoft, of channels last and of our own domain that repeat
// one of ai.onnx have its row (`domain` of the row is then "").
const OperatorTraits* findTraits(std::string_view opType, std::string_view domain);
inline const OperatorTraits* findTraits(const Node& node) {
  return findTraits(node.opType, node.domain);
}
// By the name alone, whatever the domain: ai.onnx's where several have it.
const OperatorTraits* findTraitsByName(std::string_view opType);
// kNone where the node's operator (of exactly this domain and version) has no such function.
ElementFunction elementFunctionOf(const Node& node);
// The function that an attribute such as "activation" names.
ElementFunction elementFunctionNamed(std::string_view opType);

// Every row, in the order of the files.
std::span<const OperatorTraits* const> allTraits();

}  // namespace cutaway::operators
