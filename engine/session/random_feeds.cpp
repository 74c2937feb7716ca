// Random feeds that models can digest: floats in [-1, 1), bytes over their whole range, and index-like integers within
// the tables they look into.
//
// An integer input that reaches a Gather (directly, or through casts and reshapes) draws from the rows of its table, at
// most kLargestIndex; any other integer input draws 0 or 1, which suits masks, token types, conditions and counts. The
// same seed and model give the same bytes.

#include <random>
#include <set>

#include "engine/base/printable.h"
#include "engine/session/assumed_dims.h"
#include "engine/session/session.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::session {
namespace {

constexpr int64_t kLargestIndex = 1000;
constexpr size_t kMostNames = 300;  // bytes of names in a message

// SplitMix64 (S. Vigna): small, seeded, the same on every platform.
class RandomNumbers {
 public:
  explicit RandomNumbers(uint64_t seed) : m_state(seed) {}
  uint64_t next() {
    uint64_t z = (m_state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  float symmetric() { return static_cast<float>(unit() * 2.0 - 1.0); }
  int64_t below(int64_t limit) { return static_cast<int64_t>(next() % static_cast<uint64_t>(limit)); }

 private:
  uint64_t m_state;
};

// Rows of the smallest table that the input indexes; 2 when it indexes none.
int64_t indexLimit(const Graph& graph, ValueId input) {
  constexpr int kLookedAt = 64;
  int64_t limit = 0;
  std::vector<ValueId> open{input};
  for (int looked = 0; !open.empty() && looked < kLookedAt; ++looked) {
    const ValueId id = open.back();
    open.pop_back();
    for (const Use& use : graph.value(id).uses) {
      const Node& node = graph.node(use.node);
      if (node.opType == "Gather" && use.slot == 1 && node.inputs[0].valid()) {
        const ValueType& table = graph.value(node.inputs[0]).type;
        const int64_t axis = node.attributeOr<int64_t>("axis", 0);
        if (!table.shape || axis < 0 || static_cast<size_t>(axis) >= table.shape->rank() ||
            !(*table.shape)[static_cast<size_t>(axis)].isKnown())
          continue;
        const int64_t rows = (*table.shape)[static_cast<size_t>(axis)].value();
        limit = limit == 0 ? rows : std::min(limit, rows);
      }
      for (const char* passes : {"Cast", "Reshape", "Unsqueeze", "Squeeze", "Flatten", "Identity", "Memcpy"}) {
        if (node.opType == passes && use.slot == 0 && !node.outputs.empty() && node.outputs[0].valid())
          open.push_back(node.outputs[0]);
      }
    }
  }
  return limit == 0 ? 2 : std::clamp<int64_t>(limit, 1, kLargestIndex);
}

// Elements between two looks at Cancel: far below a millisecond.
constexpr size_t kBetweenLooks = size_t{1} << 14;

template <typename T, typename Make>
void fillSpan(std::span<T> elements, const CancelToken& cancel, Make&& make) {
  for (size_t begin = 0; begin < elements.size() && !cancel.cancelled(); begin += kBetweenLooks)
    for (T& element : elements.subspan(begin, std::min(kBetweenLooks, elements.size() - begin)))
      element = make();
}

template <typename T, typename Make>
void fill(Tensor& tensor, const CancelToken& cancel, Make&& make) {
  fillSpan(tensor.span<T>(), cancel, make);
}

// What a cancelled call leaves unfilled is thrown away.
Result<void> fillTensor(Tensor& tensor, RandomNumbers& random, int64_t limit, const CancelToken& cancel) {
  switch (tensor.type()) {
    case ElementType::kFloat:
      fill<float>(tensor, cancel, [&] { return random.symmetric(); });
      return {};
    case ElementType::kDouble:
      fill<double>(tensor, cancel, [&] { return static_cast<double>(random.symmetric()); });
      return {};
    case ElementType::kFloat16:
      fill<Float16>(tensor, cancel, [&] { return Float16::fromFloat(random.symmetric()); });
      return {};
    case ElementType::kBfloat16:
      fill<Bfloat16>(tensor, cancel, [&] { return Bfloat16::fromFloat(random.symmetric()); });
      return {};
    case ElementType::kInt64:
      fill<int64_t>(tensor, cancel, [&] { return random.below(limit); });
      return {};
    case ElementType::kInt32:
      fill<int32_t>(tensor, cancel, [&] { return static_cast<int32_t>(random.below(limit)); });
      return {};
    case ElementType::kUint64:
      fill<uint64_t>(tensor, cancel, [&] { return static_cast<uint64_t>(random.below(limit)); });
      return {};
    case ElementType::kUint32:
      fill<uint32_t>(tensor, cancel, [&] { return static_cast<uint32_t>(random.below(limit)); });
      return {};
    case ElementType::kInt16:
      fill<int16_t>(tensor, cancel, [&] { return static_cast<int16_t>(random.below(limit)); });
      return {};
    case ElementType::kUint16:
      fill<uint16_t>(tensor, cancel, [&] { return static_cast<uint16_t>(random.below(limit)); });
      return {};
    case ElementType::kBool:
      fill<bool>(tensor, cancel, [&] { return random.below(2) == 1; });
      return {};
    case ElementType::kComplex64:
      fill<std::complex<float>>(tensor, cancel, [&] {
        const float re = random.symmetric();
        return std::complex<float>(re, random.symmetric());
      });
      return {};
    case ElementType::kString:
      fill<std::string>(tensor, cancel, [&] { return fmt::format("text{}", random.below(10)); });
      return {};
    case ElementType::kUndefined:
    case ElementType::kComplex128:
      return fail(ErrorCode::kNotImplemented, "no random feeds for elements of type {}",
                  elementTypeName(tensor.type()));
    default:
      break;
  }
  // Bytes and what is packed in bytes. Narrow floats are drawn as numbers, so that no NaN comes up.
  const std::span bytes(static_cast<uint8_t*>(tensor.mutableData()), static_cast<size_t>(tensor.sizeBytes()));
  const bool narrowFloat = isFloating(tensor.type()) && !isSubByte(tensor.type());
  fillSpan(bytes, cancel, [&] {
    return narrowFloat ? floatToNarrow(tensor.type(), random.symmetric(), true) : static_cast<uint8_t>(random.next());
  });
  return {};
}

// A few entries with the keys 0, 1, 2 or "text0", "text1", "text2".
Result<RuntimeValue> randomMap(const ValueType& type, RandomNumbers& random) {
  constexpr int64_t kEntries = 3;
  CUTAWAY_TRY(Tensor keys, Tensor::create(type.key, {kEntries}));
  for (size_t i = 0; i < kEntries; ++i) {
    if (type.key == ElementType::kString)
      keys.span<std::string>()[i] = fmt::format("text{}", i);
    else if (type.key == ElementType::kInt64)
      keys.span<int64_t>()[i] = static_cast<int64_t>(i);
    else
      return fail(ErrorCode::kNotImplemented, "no random feed for a map from {}: give it from a file",
                  elementTypeName(type.key));
  }
  CUTAWAY_TRY(Tensor values, Tensor::create(type.inner->element, {kEntries}));
  CUTAWAY_CHECK(fillTensor(values, random, kLargestIndex, {}));
  return RuntimeValue(MapValue{std::move(keys), std::move(values)});
}

Result<RuntimeValue> randomValue(const execute::NamedType& input, const std::map<std::string, int64_t>& dims,
                                 RandomNumbers& random, int64_t limit, const CancelToken& cancel) {
  if (input.type.kind == TypeKind::kOptional) return RuntimeValue();
  if (input.type.kind == TypeKind::kMap && input.type.inner != nullptr && input.type.inner->isTensor())
    return randomMap(input.type, random);
  if (input.type.isTensor() && !input.type.shape)
    return fail(ErrorCode::kNotImplemented,
                "no random feed for input '{}': the model does not say how many dimensions it has; give it from a file "
                "(--input NAME=FILE), or give it a shape (cutaway-cli edit --set-shape NAME=1,3,224,224)",
                input.name);
  if (!input.type.isTensor())
    return fail(ErrorCode::kNotImplemented,
                "no random feed for input '{}' of type {}: give it from a file (--input NAME=FILE)", input.name,
                toText(input.type));
  std::vector<int64_t> shape;
  for (const Dim& dim : input.type.shape->dims()) {
    const auto bound = dim.isSymbol() ? dims.find(dim.symbol()) : dims.end();
    shape.push_back(dim.isKnown() ? dim.value() : bound == dims.end() ? 1 : bound->second);
  }
  CUTAWAY_TRY(Tensor tensor, Tensor::create(input.type.element, shape));
  CUTAWAY_CHECK(fillTensor(tensor, random, limit, cancel));
  CUTAWAY_CHECK(holdTexts(tensor));
  return RuntimeValue(std::move(tensor));
}

}  // namespace

Result<std::vector<execute::Feed>> randomFeeds(const Session& session, uint64_t seed,
                                               const std::map<std::string, int64_t>& dims, const CancelToken& cancel,
                                               std::span<const execute::Feed> given) {
  const HeapLimit limit(session.memoryBudget());
  const Graph& graph = session.model().graph;
  std::vector<execute::Feed> feeds;
  uint64_t position = 0;
  for (const execute::NamedType& input : session.inputs()) {
    if (!input.required) continue;
    // Counted over what a caller must give: old files list their weights among the inputs, and a model exported from
    // one of them does not.
    RandomNumbers random(seed * 1000003 + position++);
    if (std::ranges::find(given, input.name, &execute::Feed::name) != given.end()) continue;
    auto value = randomValue(input, dims, random, indexLimit(graph, graph.findValue(input.name)), cancel);
    if (cancel.cancelled()) return fail(cancelledError());
    if (!value) return fail(atValue(std::move(value).error(), input.name));
    feeds.push_back({input.name, *std::move(value)});
  }
  return feeds;
}

Error explainAssumedDims(Error error, const Session& session, const std::map<std::string, int64_t>& dims) {
  if (error.code != ErrorCode::kInvalidArgument && error.code != ErrorCode::kEpFail) return error;
  std::set<std::string> open;
  bool nameless = false;
  for (const execute::NamedType& input : session.inputs()) {
    if (!input.required || !input.type.isTensor() || !input.type.shape) continue;
    for (const Dim& dim : input.type.shape->dims()) {
      if (dim.isSymbol() && !dims.contains(dim.symbol())) open.insert(dim.symbol());
      nameless = nameless || (!dim.isKnown() && !dim.isSymbol());
    }
  }
  if (!open.empty())
    error.message +=
        fmt::format("; random inputs have 1 for the open dimensions {}: {}",
                    shortenedText(fmt::format("'{}'", fmt::join(open, "', '")), kMostNames), kNamedDimsRemedy);
  else if (nameless)
    error.message +=
        fmt::format("; random inputs have 1 for dimensions that are open and have no name: {}", kNamelessDimsRemedy);
  return error;
}

}  // namespace cutaway::session
