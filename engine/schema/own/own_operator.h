#pragma once
// How a file of this folder describes operators that onnx's registry does not have, and the inference functions that
// many of them share.
//
// A family file `<name>.cpp` defines `OwnOperators own_<name>()`, a table with one row per operator. A signature is one
// line of text: "X:T, W:T, B?:T -> Y:T"; `?` optional, `*` variadic, `+` variadic and at least one. Type variables: T
// floating, I and J integer (int32, int64), Q 8-bit integer, A B U V W any tensor, E what EPContext takes, or a type of
// its own such as tensor(float). Thread rule: tables are constants; inference functions are pure over their context.
// Example: {.name = "QuickGelu", .domain = kMicrosoft, .signature = "X:T -> Y:T", .infer = likeFirst, .attributes =
// {{"alpha", AttributeKind::kFloat}}}

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/schema/schema_entry.h"

namespace cutaway::own {

inline constexpr std::string_view kMicrosoft = "com.microsoft";
inline constexpr std::string_view kBlocked = "com.microsoft.nchwc";

using Infer = void (*)(onnx::InferenceContext&);
enum class AttributeKind { kInt, kFloat, kString, kInts, kFloats, kStrings, kTensor, kGraph };

struct OwnAttribute {
  const char* name;
  AttributeKind kind;
  bool required = false;
};

struct OwnOperator {
  const char* name;
  std::string_view domain;
  const char* signature;
  Infer infer;
  std::vector<OwnAttribute> attributes;
  int lastVersion = std::numeric_limits<int>::max();  // of the opset: withdrawn after it
  const char* documentation = "";
};
using OwnOperators = std::span<const OwnOperator>;

// Whether the input is given and its type known.
bool known(onnx::InferenceContext& context, size_t input);
// An INT attribute, or `otherwise`.
int64_t integerAttribute(onnx::InferenceContext& context, const char* name, int64_t otherwise = 0);
// Numbers of a file may be any: nullopt where the sum or product is beyond int64.
std::optional<int64_t> sumOf(std::initializer_list<int64_t> terms);
std::optional<int64_t> productOf(int64_t a, int64_t b);
// Unknown without a size, and where it is below zero.
void setSize(onnx::TensorShapeProto::Dimension& dim, std::optional<int64_t> size);
// Element type and shape of one input for one output; nothing when either is absent.
void copyTypeAndShape(onnx::InferenceContext& context, size_t input, size_t output);
// The first output is like the first input.
void likeFirst(onnx::InferenceContext& context);
// Types and shapes are only known at run time.
void nothing(onnx::InferenceContext& context);
// The rule of the newest ai.onnx operator of that name.
void likeOnnx(onnx::InferenceContext& context, const char* opType);

}  // namespace cutaway::own
