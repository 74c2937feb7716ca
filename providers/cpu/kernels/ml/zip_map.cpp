// ZipMap: each row of scores becomes a map from class labels to scores.
//
// The maps share one tensor of keys, and their values are rows of one copy of the input; a label that comes twice keeps
// its last score.

#include <algorithm>

#include "providers/cpu/kernels/lookup_table.h"
#include "providers/cpu/kernels/ml/feature_rows.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

class ZipMap final : public Kernel {
 public:
  // columns: of the input, one a key.
  ZipMap(Tensor keys, std::vector<int64_t> columns, int64_t labels)
      : m_keys(std::move(keys)), m_columns(std::move(columns)), m_labels(labels) {
    m_mapType.kind = TypeKind::kMap;
    m_mapType.key = m_keys.type();
    m_mapType.inner = std::make_shared<const ValueType>(ValueType::tensor(ElementType::kFloat, std::nullopt));
  }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    CUTAWAY_TRY(const ml::FeatureRows shape, ml::featureRows(*input));
    if (shape.columns != m_labels)
      return fail(ErrorCode::kInvalidArgument, "the input has {} columns, there are {} class labels", shape.columns,
                  m_labels);
    RuntimeValue* output = context.outputValue(0);
    if (output == nullptr) return {};
    CUTAWAY_TRY(Tensor scores, copyColumns(*input, shape));
    const auto width = static_cast<int64_t>(m_columns.size());
    const auto owner = std::make_shared<const Tensor>(scores);
    SequenceValue maps{m_mapType, {}};
    maps.items.reserve(static_cast<size_t>(shape.rows));
    for (int64_t row = 0; row < shape.rows; ++row) {
      maps.items.emplace_back(MapValue{m_keys, Tensor::wrap(ElementType::kFloat, std::span<const int64_t>(&width, 1),
                                                            scores.span<float>().data() + row * width, owner)});
    }
    *output = std::move(maps);
    return {};
  }

 private:
  Result<Tensor> copyColumns(const Tensor& input, ml::FeatureRows shape) const {
    if (static_cast<int64_t>(m_columns.size()) == shape.columns) return input.clone();
    CUTAWAY_TRY(Tensor picked,
                Tensor::create(ElementType::kFloat, {shape.rows, static_cast<int64_t>(m_columns.size())}));
    float* to = picked.span<float>().data();
    const float* from = input.span<float>().data();
    for (int64_t row = 0; row < shape.rows; ++row) {
      for (const int64_t column : m_columns)
        *to++ = from[row * shape.columns + column];
    }
    return picked;
  }

  Tensor m_keys;
  std::vector<int64_t> m_columns;
  int64_t m_labels;
  ValueType m_mapType;
};

// Columns whose label does not come again later.
template <typename Find>
std::vector<int64_t> lastColumns(size_t labels, Find&& find) {
  std::vector<int64_t> columns;
  for (size_t i = 0; i < labels; ++i) {
    if (find(i) == static_cast<int32_t>(i)) columns.push_back(static_cast<int64_t>(i));
  }
  return columns;
}

template <typename T>
Tensor keysOf(const std::vector<T>& labels, const std::vector<int64_t>& columns) {
  std::vector<T> kept;
  for (const int64_t column : columns)
    kept.push_back(labels[static_cast<size_t>(column)]);
  return Tensor::of<T>(std::span<const T>(kept));
}

Result<std::unique_ptr<Kernel>> createZipMap(const KernelInfo& info) {
  CUTAWAY_TRY(const ml::ClassLabels labels, ml::ClassLabels::read(info, "classlabels_int64s", "classlabels_strings"));
  const auto count = static_cast<int64_t>(labels.size());
  if (labels.areStrings()) {
    const StringLookup table(labels.strings(), Repeated::kLast);
    std::vector<int64_t> columns =
        lastColumns(labels.size(), [&](size_t i) { return table.find(labels.strings()[i]); });
    return std::make_unique<ZipMap>(keysOf(labels.strings(), columns), columns, count);
  }
  const NumberLookup table(labels.integers(), Repeated::kLast);
  std::vector<int64_t> columns = lastColumns(labels.size(), [&](size_t i) { return table.find(labels.integers()[i]); });
  return std::make_unique<ZipMap>(keysOf(labels.integers(), columns), columns, count);
}

constexpr ElementType kFloats[] = {ElementType::kFloat};
constexpr TypeRule kRules[] = {{0, kFloats}};
constexpr KernelRow kRows[] = {
    {.opType = "ZipMap", .domain = "ai.onnx.ml", .versions = {1}, .types = kRules, .create = createZipMap},
};

}  // namespace

KernelRows kernel_zip_map() {
  return kRows;
}

}  // namespace cutaway::cpu
