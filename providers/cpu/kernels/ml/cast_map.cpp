// CastMap: the values of a map from integers, in the order of the keys (DENSE) or each at the place its key names
// (SPARSE, [1, max_map]), as floats, integers or strings.
//
// Sparse places without a value hold 0, as a string "0.f" as in onnxruntime; keys at or above max_map are left
// out. Numbers become text with six decimals.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "providers/cpu/kernels/ml/feature_rows.h"
#include "providers/cpu/kernels/ml/map_input.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {
namespace {

Result<void> convert(float from, float& to) {
  to = from;
  return {};
}

Result<void> convert(float from, int64_t& to) {
  constexpr float kLimit = 9223372036854775808.0f;  // 2^63
  if (!(from >= -kLimit && from < kLimit))
    return fail(ErrorCode::kInvalidArgument, "the value {} does not fit int64", from);
  to = static_cast<int64_t>(from);
  return {};
}

Result<void> convert(float from, std::string& to) {
  to = fmt::format("{:f}", from);
  return {};
}

Result<void> convert(const std::string& from, std::string& to) {
  to = from;
  return {};
}

// The number at the start of a text, as C's strtof and strtoll read it; what follows it is ignored.
template <typename T>
Result<void> convert(const std::string& from, T& to) {
  const char* begin = from.c_str();
  while (*begin == ' ' || (*begin >= '\t' && *begin <= '\r'))
    ++begin;
  if (*begin == '+') ++begin;
  if (const auto [end, problem] = std::from_chars(begin, from.c_str() + from.size(), to);
      problem != std::errc() || end == begin)
    return fail(ErrorCode::kInvalidArgument, "'{}' is no number of type {}", from,
                elementTypeName(ElementTypeOf<T>::value));
  return {};
}

struct Order final : KernelState {
  std::vector<size_t> entries;
};

class CastMap final : public Kernel {
 public:
  // length: of a sparse output, -1 for a dense one.
  CastMap(ElementType target, int64_t length) : m_target(target), m_length(length) {}

  std::unique_ptr<KernelState> createState() const override { return std::make_unique<Order>(); }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const MapValue* map, ml::requireMap(context, 0, ElementType::kInt64));
    if (map->values.type() == ElementType::kFloat) return runFrom<float>(context, *map);
    if (map->values.type() == ElementType::kString) return runFrom<std::string>(context, *map);
    return fail(ErrorCode::kInvalidArgument, "the values of the map are {}, not float or string",
                elementTypeName(map->values.type()));
  }

 private:
  template <typename From>
  Result<void> runFrom(KernelContext& context, const MapValue& map) const {
    const bool dense = m_length < 0;
    CUTAWAY_TRY(Tensor * output, context.output(0, m_target, Dims{1, dense ? map.keys.elementCount() : m_length}));
    if (m_target == ElementType::kString) return place<From, std::string>(context, map, *output, "0.f");
    if (m_target == ElementType::kInt64) return place<From, int64_t>(context, map, *output, 0);
    return place<From, float>(context, map, *output, 0.0f);
  }

  template <typename From, typename To>
  Result<void> place(KernelContext& context, const MapValue& map, Tensor& output, const To& empty) const {
    const auto keys = map.keys.span<int64_t>();
    const auto values = map.values.span<From>();
    const auto row = output.span<To>();
    if (m_length < 0) {
      auto& order = static_cast<Order*>(context.state())->entries;
      order.resize(keys.size());
      std::iota(order.begin(), order.end(), size_t{0});
      std::ranges::sort(order, {}, [&](size_t i) { return keys[i]; });
      for (size_t i = 0; i < order.size(); ++i)
        CUTAWAY_CHECK(convert(values[order[i]], row[i]));
      return {};
    }
    std::fill(row.begin(), row.end(), empty);
    for (size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] < 0)
        return fail(ErrorCode::kInvalidArgument, "the map has the key {}; sparse places start at 0", keys[i]);
      if (keys[i] < m_length) CUTAWAY_CHECK(convert(values[i], row[static_cast<size_t>(keys[i])]));
    }
    return {};
  }

  ElementType m_target;
  int64_t m_length;
};

Result<std::unique_ptr<Kernel>> createCastMap(const KernelInfo& info) {
  const std::string target = info.attribute<std::string>("cast_to", "TO_FLOAT"),
                    form = info.attribute<std::string>("map_form", "DENSE");
  const ElementType type = target == "TO_FLOAT"    ? ElementType::kFloat
                           : target == "TO_STRING" ? ElementType::kString
                           : target == "TO_INT64"  ? ElementType::kInt64
                                                   : ElementType::kUndefined;
  if (type == ElementType::kUndefined)
    return fail(ErrorCode::kInvalidArgument, "cast_to is '{}' and must be TO_FLOAT, TO_STRING or TO_INT64", target);
  if (form != "DENSE" && form != "SPARSE")
    return fail(ErrorCode::kInvalidArgument, "map_form is '{}' and must be DENSE or SPARSE", form);
  const int64_t length = info.attribute<int64_t>("max_map", 1);
  if (form == "SPARSE" && length < 1)
    return fail(ErrorCode::kInvalidArgument, "max_map is {} and must be positive", length);
  return std::make_unique<CastMap>(type, form == "SPARSE" ? length : -1);
}

constexpr KernelRow kRows[] = {
    {.opType = "CastMap", .domain = "ai.onnx.ml", .versions = {1}, .create = createCastMap},
};

}  // namespace

KernelRows kernel_cast_map() {
  return kRows;
}

}  // namespace cutaway::cpu
