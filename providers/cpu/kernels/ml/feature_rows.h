#pragma once
// What the operators of ai.onnx.ml read alike: inputs of one row [C] or of rows [N, C], numbers of any type as floats,
// and lists of class labels.
//
// Thread rule: pure functions; ClassLabels is immutable once read.
// Example:
//   CUTAWAY_TRY(const FeatureRows rows, featureRows(*input));                       // {N, C}
//   CUTAWAY_TRY(const float* x, floatsOf(context, *input));                          // converted into scratch where
//   the input holds other numbers CUTAWAY_TRY(ClassLabels labels, ClassLabels::read(info, "classlabels_ints",
//   "classlabels_strings"));  labels.write(best, *output, row);

#include <string>
#include <vector>

#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu::ml {

using FeatureTypes = cpu::TypeList<float, double, int64_t, int32_t>;
inline constexpr auto kFeatureTypes = cpu::elementTypes(FeatureTypes{});
inline constexpr TypeRule kFeatureRules[] = {{0, kFeatureTypes}};

struct FeatureRows {
  int64_t rows = 0;
  int64_t columns = 0;
};

// [C] is one row. INVALID_ARGUMENT for any other rank.
Result<FeatureRows> featureRows(const Tensor& input);

// The elements as floats: the tensor's own memory, or a copy in scratch.
Result<const float*> floatsOf(KernelContext& context, const Tensor& input);

// A list of floats, empty when the node lacks it.
std::vector<float> floatList(const KernelInfo& info, std::string_view name);
std::vector<int64_t> integerList(const KernelInfo& info, std::string_view name);
std::vector<std::string> stringList(const KernelInfo& info, std::string_view name);

class ClassLabels {
 public:
  // INVALID_ARGUMENT unless exactly one of the two attributes has labels.
  static Result<ClassLabels> read(const KernelInfo& info, std::string_view integers, std::string_view strings);

  size_t size() const { return m_strings.empty() ? m_integers.size() : m_strings.size(); }
  bool areStrings() const { return !m_strings.empty(); }
  ElementType type() const { return areStrings() ? ElementType::kString : ElementType::kInt64; }
  const std::vector<int64_t>& integers() const { return m_integers; }
  const std::vector<std::string>& strings() const { return m_strings; }
  // Label `index` becomes element `row` of a tensor of type().
  void write(size_t index, void* elements, int64_t row) const {
    if (areStrings())
      static_cast<std::string*>(elements)[row] = m_strings[index];
    else
      static_cast<int64_t*>(elements)[row] = m_integers[index];
  }

 private:
  std::vector<int64_t> m_integers;
  std::vector<std::string> m_strings;
};

}  // namespace cutaway::cpu::ml
