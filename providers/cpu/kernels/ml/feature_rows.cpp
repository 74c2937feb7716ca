#include "providers/cpu/kernels/ml/feature_rows.h"

#include <algorithm>

namespace cutaway::cpu::ml {

Result<FeatureRows> featureRows(const Tensor& input) {
  const Dims& dims = input.dims();
  if (dims.size() == 1) return FeatureRows{1, dims[0]};
  if (dims.size() == 2) return FeatureRows{dims[0], dims[1]};
  return fail(ErrorCode::kInvalidArgument, "the input must be [C] or [N, C], not {}", dimsToText(dims));
}

Result<const float*> floatsOf(KernelContext& context, const Tensor& input) {
  if (input.type() == ElementType::kFloat) return input.span<float>().data();
  CUTAWAY_TRY(const std::span<std::byte> memory,
              context.scratch(static_cast<size_t>(input.elementCount()) * sizeof(float)));
  auto* floats = reinterpret_cast<float*>(memory.data());
  const bool known = cpu::dispatchType(FeatureTypes{}, input.type(), [&]<typename T>(cpu::TypeTag<T>) {
    std::ranges::transform(input.span<T>(), floats, [](T value) { return static_cast<float>(value); });
  });
  if (!known) return fail(ErrorCode::kInvalidArgument, "features of type {}", elementTypeName(input.type()));
  return floats;
}

std::vector<float> floatList(const KernelInfo& info, std::string_view name) {
  return info.attribute<std::vector<float>>(name, {});
}
std::vector<int64_t> integerList(const KernelInfo& info, std::string_view name) {
  return info.attribute<std::vector<int64_t>>(name, {});
}
std::vector<std::string> stringList(const KernelInfo& info, std::string_view name) {
  return info.attribute<std::vector<std::string>>(name, {});
}

Result<ClassLabels> ClassLabels::read(const KernelInfo& info, std::string_view integers, std::string_view strings) {
  ClassLabels labels;
  labels.m_integers = integerList(info, integers);
  labels.m_strings = stringList(info, strings);
  if (labels.m_integers.empty() == labels.m_strings.empty())
    return fail(ErrorCode::kInvalidArgument, "exactly one of {} and {} must have labels", integers, strings);
  return labels;
}

}  // namespace cutaway::cpu::ml
