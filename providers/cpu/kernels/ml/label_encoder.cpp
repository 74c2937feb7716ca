// LabelEncoder and CategoryMapper: every element replaced by the value that stands beside it in a list of keys.
//
// The first LabelEncoder has one list of strings and their positions; CategoryMapper has strings and integers; later
// LabelEncoders have keys and values of any two kinds. All become a table of keys and a tensor of values whose last
// element is the default.

#include <algorithm>
#include <array>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/ml/feature_rows.h"
#include "providers/cpu/kernels/ml/key_table.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

using ml::KeyTable;
using ValueTypes = cpu::TypeList<std::string, int64_t, float, double, int32_t, int16_t>;

constexpr int64_t kBlock = 512;
constexpr int64_t kElementsPerThread = 8192;

class MappingKernel final : public Kernel {
 public:
  // values: one a key, then the default.
  MappingKernel(KeyTable keys, Tensor values) : m_keys(std::move(keys)), m_values(std::move(values)) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    if (input->type() != m_keys.type())
      return fail(ErrorCode::kInvalidArgument, "the input is {}, the keys are {}", elementTypeName(input->type()),
                  elementTypeName(m_keys.type()));
    CUTAWAY_TRY(Tensor * output, context.output(0, m_values.type(), input->dims()));
    cpu::dispatchType(ValueTypes{}, m_values.type(),
                      [&]<typename T>(cpu::TypeTag<T>) { map(*input, m_values.span<T>(), output->span<T>().data()); });
    return {};
  }

 private:
  template <typename T>
  void map(const Tensor& input, std::span<const T> values, T* to) const {
    const auto missing = static_cast<int32_t>(values.size() - 1);
    parallelFor(input.elementCount(), kElementsPerThread, [&](int64_t begin, int64_t end) {
      std::array<int32_t, kBlock> positions;
      for (int64_t at = begin; at < end; at += kBlock) {
        const int64_t stop = std::min(end, at + kBlock);
        m_keys.find(input, at, stop, positions.data());
        for (int64_t i = at; i < stop; ++i) {
          const int32_t position = positions[static_cast<size_t>(i - at)];
          to[i] = values[static_cast<size_t>(position < 0 ? missing : position)];
        }
      }
    });
  }

  KeyTable m_keys;
  Tensor m_values;
};

template <typename T>
Tensor withDefault(std::span<const T> values, const T& otherwise) {
  std::vector<T> all(values.begin(), values.end());
  all.push_back(otherwise);
  return Tensor::of<T>(std::span<const T>(all));
}

Tensor tensorOf(const std::vector<std::string>& values) {
  return Tensor::of<std::string>(std::span<const std::string>(values));
}
Tensor tensorOf(const std::vector<int64_t>& values) {
  return Tensor::of<int64_t>(std::span<const int64_t>(values));
}
Tensor tensorOf(const std::vector<float>& values) {
  return Tensor::of<float>(std::span<const float>(values));
}

Result<std::unique_ptr<Kernel>> makeMapping(const KernelInfo& info, const Tensor& keys, Tensor values,
                                            KeyTable::Rules rules) {
  if (values.elementCount() != keys.elementCount() + 1)
    return fail(ErrorCode::kInvalidArgument, "{} keys and {} values", keys.elementCount(), values.elementCount() - 1);
  const ElementType given = info.inputElement(0), wanted = info.outputType(0).element;
  if (given != keys.type() && given != ElementType::kUndefined)
    return fail(ErrorCode::kInvalidArgument, "the input is {}, the keys are {}", elementTypeName(given),
                elementTypeName(keys.type()));
  if (wanted != values.type() && wanted != ElementType::kUndefined)
    return fail(ErrorCode::kInvalidArgument, "the output is {}, the values are {}", elementTypeName(wanted),
                elementTypeName(values.type()));
  CUTAWAY_TRY(KeyTable table, KeyTable::make(keys, rules));
  return std::make_unique<MappingKernel>(std::move(table), std::move(values));
}

// Strings to integers or back, whichever the input asks for; of a string that comes twice the last counts.
Result<std::unique_ptr<Kernel>> makeStringsAndIntegers(const KernelInfo& info, const std::vector<std::string>& strings,
                                                       const std::vector<int64_t>& integers) {
  const KeyTable::Rules rules{.repeated = Repeated::kLast};
  if (info.inputElement(0) == ElementType::kString)
    return makeMapping(info, tensorOf(strings),
                       withDefault<int64_t>(integers, info.attribute<int64_t>("default_int64", -1)), rules);
  return makeMapping(info, tensorOf(integers),
                     withDefault<std::string>(strings, info.attribute<std::string>("default_string", "_Unused")),
                     rules);
}

Result<std::unique_ptr<Kernel>> createCategoryMapper(const KernelInfo& info) {
  const auto strings = ml::stringList(info, "cats_strings");
  const auto integers = ml::integerList(info, "cats_int64s");
  if (strings.size() != integers.size())
    return fail(ErrorCode::kInvalidArgument, "{} cats_strings and {} cats_int64s", strings.size(), integers.size());
  return makeStringsAndIntegers(info, strings, integers);
}

Result<std::unique_ptr<Kernel>> createFirstLabelEncoder(const KernelInfo& info) {
  const auto strings = ml::stringList(info, "classes_strings");
  std::vector<int64_t> places(strings.size());
  for (size_t i = 0; i < places.size(); ++i)
    places[i] = static_cast<int64_t>(i);
  return makeStringsAndIntegers(info, strings, places);
}

// The one of keys_* or values_* that the node has; an invalid tensor never.
Result<Tensor> listNamed(const KernelInfo& info, const std::string& stem) {
  const Node& node = info.node();
  std::vector<Tensor> found;
  if (const auto tensor = node.attributeOr<Tensor>(stem + "_tensor", {}); tensor.valid()) found.push_back(tensor);
  if (node.findAttribute(stem + "_strings") != nullptr)
    found.push_back(tensorOf(ml::stringList(info, stem + "_strings")));
  if (node.findAttribute(stem + "_int64s") != nullptr)
    found.push_back(tensorOf(ml::integerList(info, stem + "_int64s")));
  if (node.findAttribute(stem + "_floats") != nullptr) found.push_back(tensorOf(ml::floatList(info, stem + "_floats")));
  std::erase_if(found, [&](const Tensor& each) { return found.size() > 1 && each.elementCount() == 0; });
  if (found.size() != 1)
    return fail(ErrorCode::kInvalidArgument, "LabelEncoder needs exactly one of the attributes {}_*; {} are given",
                stem, found.size());
  return found.front();
}

// The default that fits values of type T: default_tensor first, then the attribute of that kind.
template <typename T>
Result<T> defaultOf(const KernelInfo& info) {
  if (const auto tensor = info.attribute<Tensor>("default_tensor", {}); tensor.valid()) {
    if (tensor.type() != ElementTypeOf<T>::value || tensor.elementCount() != 1)
      return fail(ErrorCode::kInvalidArgument, "default_tensor is {}{} for values of {}",
                  elementTypeName(tensor.type()), dimsToText(tensor.dims()), elementTypeName(ElementTypeOf<T>::value));
    return tensor.span<T>()[0];
  }
  if constexpr (std::is_same_v<T, std::string>)
    return info.attribute<std::string>("default_string", "_Unused");
  else if constexpr (std::is_same_v<T, float>)
    return info.attribute<float>("default_float", -0.0f);
  else if constexpr (std::is_same_v<T, int64_t>)
    return info.attribute<int64_t>("default_int64", -1);
  else if constexpr (std::is_same_v<T, double>)
    return T(-0.0);
  else
    return T(-1);
}

// Opset 2 keeps the first of equal keys (as onnxruntime does) and compares floats bit by bit; from opset 4 on
// the last counts and a NaN is a NaN.
template <bool ByValue>
Result<std::unique_ptr<Kernel>> createLabelEncoder(const KernelInfo& info) {
  CUTAWAY_TRY(const Tensor keys, listNamed(info, "keys"));
  CUTAWAY_TRY(const Tensor values, listNamed(info, "values"));
  const KeyTable::Rules rules{.repeated = ByValue ? Repeated::kLast : Repeated::kFirst, .floatsByBits = !ByValue};
  Result<Tensor> all = fail(ErrorCode::kInvalidArgument, "values of type {}", elementTypeName(values.type()));
  cpu::dispatchType(ValueTypes{}, values.type(), [&]<typename T>(cpu::TypeTag<T>) {
    all = defaultOf<T>(info).map([&](const T& otherwise) { return withDefault<T>(values.span<T>(), otherwise); });
  });
  if (!all) return fail(std::move(all).error());
  return makeMapping(info, keys, *std::move(all), rules);
}

constexpr ElementType kTwoTypes[] = {ElementType::kString, ElementType::kInt64};
constexpr ElementType kThreeTypes[] = {ElementType::kString, ElementType::kInt64, ElementType::kFloat};
constexpr auto kSixTypes = cpu::elementTypes(ValueTypes{});
constexpr TypeRule kTwo[] = {{0, kTwoTypes}};
constexpr TypeRule kThree[] = {{0, kThreeTypes}};
constexpr TypeRule kSix[] = {{0, kSixTypes}};
// A block of keys is found before the same block of values is written. Version 1 maps between text and numbers, which
// share no bytes.
constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0}};
constexpr KernelRow kRows[] = {
    {.opType = "CategoryMapper",
     .domain = "ai.onnx.ml",
     .versions = {1},
     .types = kTwo,
     .fastPath = "threads",
     .create = createCategoryMapper},
    {.opType = "LabelEncoder",
     .domain = "ai.onnx.ml",
     .versions = {1, 1},
     .types = kTwo,
     .fastPath = "threads",
     .create = createFirstLabelEncoder},
    {.opType = "LabelEncoder",
     .domain = "ai.onnx.ml",
     .versions = {2, 3},
     .types = kThree,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = createLabelEncoder<false>},
    {.opType = "LabelEncoder",
     .domain = "ai.onnx.ml",
     .versions = {4},
     .types = kSix,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = createLabelEncoder<true>},
};

}  // namespace

KernelRows kernel_label_encoder() {
  return kRows;
}

}  // namespace cutaway::cpu
