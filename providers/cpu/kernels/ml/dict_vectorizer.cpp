// DictVectorizer: the values of a map laid out in the order of a vocabulary, [1, length]; zeros (or empty strings)
// where the map has no entry. Keys outside the vocabulary are left out.

#include "providers/cpu/kernels/ml/feature_rows.h"
#include "providers/cpu/kernels/ml/key_table.h"
#include "providers/cpu/kernels/ml/map_input.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

using Values = cpu::TypeList<int64_t, float, double, std::string>;

class DictVectorizer final : public Kernel {
 public:
  // firsts: for each entry of the vocabulary the first entry that is equal to it.
  DictVectorizer(ml::KeyTable vocabulary, std::vector<int32_t> firsts)
      : m_vocabulary(std::move(vocabulary)), m_firsts(std::move(firsts)) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const MapValue* map, ml::requireMap(context, 0, m_vocabulary.type()));
    const int64_t entries = map->keys.elementCount();
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(entries) * sizeof(int32_t)));
    auto* places = reinterpret_cast<int32_t*>(memory.data());
    m_vocabulary.find(map->keys, 0, entries, places);
    CUTAWAY_TRY(Tensor * output, context.output(0, map->values.type(), Dims{1, static_cast<int64_t>(m_firsts.size())}));
    const bool known = cpu::dispatchType(Values{}, map->values.type(), [&]<typename T>(cpu::TypeTag<T>) {
      const std::span<T> row = output->span<T>();
      for (T& value : row)
        value = T();
      for (int64_t i = 0; i < entries; ++i) {
        if (places[i] >= 0) row[static_cast<size_t>(places[i])] = map->values.span<T>()[static_cast<size_t>(i)];
      }
      for (size_t i = 0; i < row.size(); ++i) {
        if (m_firsts[i] != static_cast<int32_t>(i)) row[i] = row[static_cast<size_t>(m_firsts[i])];
      }
    });
    if (!known)
      return fail(ErrorCode::kInvalidArgument, "the values of the map are {}", elementTypeName(map->values.type()));
    return {};
  }

 private:
  ml::KeyTable m_vocabulary;
  std::vector<int32_t> m_firsts;
};

Result<std::unique_ptr<Kernel>> createDictVectorizer(const KernelInfo& info) {
  CUTAWAY_TRY(const ml::ClassLabels vocabulary, ml::ClassLabels::read(info, "int64_vocabulary", "string_vocabulary"));
  const ValueType& type = info.inputType(0);
  if (type.kind == TypeKind::kMap && type.key != vocabulary.type())
    return fail(ErrorCode::kInvalidArgument, "the keys of the map are {}, the vocabulary is {}",
                elementTypeName(type.key), elementTypeName(vocabulary.type()));
  const Tensor keys = vocabulary.areStrings()
                          ? Tensor::of<std::string>(std::span<const std::string>(vocabulary.strings()))
                          : Tensor::of<int64_t>(std::span<const int64_t>(vocabulary.integers()));
  CUTAWAY_TRY(ml::KeyTable table, ml::KeyTable::make(keys, {}));
  std::vector<int32_t> firsts(vocabulary.size());
  table.find(keys, 0, keys.elementCount(), firsts.data());
  return std::make_unique<DictVectorizer>(std::move(table), std::move(firsts));
}

constexpr KernelRow kRows[] = {
    {.opType = "DictVectorizer", .domain = "ai.onnx.ml", .versions = {1}, .create = createDictVectorizer},
};

}  // namespace

KernelRows kernel_dict_vectorizer() {
  return kRows;
}

}  // namespace cutaway::cpu
