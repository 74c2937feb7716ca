// Outputs of the original and of the context model, bit for bit.
#include "engine/compile/same_bits.h"

#include <cstring>

#include "engine/study/accuracy/value_error.h"

namespace cutaway::compile {
namespace {

std::string tensorText(const Tensor& tensor) {
  return fmt::format("{}[{}]", elementTypeName(tensor.type()), fmt::join(tensor.dims(), ","));
}

bool sameTensor(const Tensor& a, const Tensor& b, std::string& problem) {
  if (a.type() != b.type() || !(a.dims() == b.dims())) {
    problem = fmt::format("{} from the original, {} from the context model", tensorText(a), tensorText(b));
    return false;
  }
  if (a.type() == ElementType::kString) return std::ranges::equal(a.span<std::string>(), b.span<std::string>());
  const std::span<const std::byte> left = a.bytes(), right = b.bytes();
  return left.size() == right.size() && (left.empty() || std::memcmp(left.data(), right.data(), left.size()) == 0);
}

bool sameValue(const RuntimeValue& a, const RuntimeValue& b, std::string& problem) {
  if (a.isTensor() && b.isTensor()) return sameTensor(a.tensor(), b.tensor(), problem);
  if (a.isSequence() && b.isSequence()) {
    const std::vector<RuntimeValue>&left = a.sequence().items, &right = b.sequence().items;
    if (left.size() != right.size()) {
      problem =
          fmt::format("a sequence of {} from the original, of {} from the context model", left.size(), right.size());
      return false;
    }
    return std::ranges::equal(left, right,
                              [&](const RuntimeValue& x, const RuntimeValue& y) { return sameValue(x, y, problem); });
  }
  if (a.isMap() && b.isMap())
    return sameTensor(a.map().keys, b.map().keys, problem) && sameTensor(a.map().values, b.map().values, problem);
  if (a.empty() && b.empty()) return true;
  problem = "values of different kinds";
  return false;
}

}  // namespace

ContextOutputDifference compareBits(std::string name, const RuntimeValue& original, const RuntimeValue& context) {
  ContextOutputDifference difference{.name = std::move(name), .problem = {}};
  difference.sameBits = sameValue(original, context, difference.problem);
  if (difference.sameBits || !difference.problem.empty()) return difference;
  ValueAccuracy accuracy;
  study::measureError(context, original, {}, accuracy);
  difference.maximumError = accuracy.maxAbsolute;
  return difference;
}

}  // namespace cutaway::compile
