#include "tests/checker/value_places.h"

#include <algorithm>
#include <cctype>

#include "engine/tensor/element_type.h"

namespace cutaway {
namespace {

// A sum of products of names and whole numbers. Anything else is not an expression.
class DimExpression {
 public:
  DimExpression(const std::string& text, const std::function<std::optional<int64_t>(const std::string&)>& valueOf)
      : m_text(text), m_valueOf(valueOf) {}

  // nullopt: not an expression, or a symbol without a value (then isExpression() still holds).
  std::optional<int64_t> evaluate() {
    std::optional<int64_t> sum = product();
    for (skip(); m_good && m_at < m_text.size(); skip()) {
      const char sign = m_text[m_at];
      if (sign != '+' && sign != '-') return m_good = false, std::nullopt;
      ++m_at;
      const std::optional<int64_t> next = product();
      int64_t result = 0;
      const bool overflows =
          !sum || !next ||
          (sign == '+' ? __builtin_add_overflow(*sum, *next, &result) : __builtin_sub_overflow(*sum, *next, &result));
      sum = overflows ? std::nullopt : std::optional(result);
    }
    return sum;
  }
  bool isExpression() const { return m_good; }

 private:
  void skip() {
    while (m_at < m_text.size() && m_text[m_at] == ' ')
      ++m_at;
  }
  std::optional<int64_t> product() {
    std::optional<int64_t> result = factor();
    for (skip(); m_good && m_at < m_text.size() && m_text[m_at] == '*'; skip()) {
      ++m_at;
      const std::optional<int64_t> next = factor();
      int64_t product = 0;
      result =
          !result || !next || __builtin_mul_overflow(*result, *next, &product) ? std::nullopt : std::optional(product);
    }
    return result;
  }
  std::optional<int64_t> factor() {
    skip();
    const size_t start = m_at;
    const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
    while (m_at < m_text.size() && isWord(m_text[m_at]))
      ++m_at;
    const std::string word = m_text.substr(start, m_at - start);
    if (word.empty()) return m_good = false, std::nullopt;
    if (std::isdigit(static_cast<unsigned char>(word[0])) == 0) return m_valueOf(word);
    if (word.size() > 18 ||
        !std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
      return m_good = false, std::nullopt;
    return std::stoll(word);
  }

  const std::string& m_text;
  const std::function<std::optional<int64_t>(const std::string&)>& m_valueOf;
  size_t m_at = 0;
  bool m_good = true;
};

uint64_t mixed(uint64_t number) {  // the finaliser of splitmix64
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9ull;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebull;
  return number ^ (number >> 31);
}

// All least, all most, then every symbol somewhere of its own, now and then at an end.
int64_t assignedValue(size_t assignment, const std::string& symbol, int64_t least, int64_t most) {
  if (assignment == 0) return least;
  if (assignment == 1) return most;
  const uint64_t random = mixed(std::hash<std::string>{}(symbol) + assignment * 0x9e3779b97f4a7c15ull);
  if (random % 4 == 0) return assignment % 2 == 0 ? least : most;
  return least + static_cast<int64_t>((random >> 8) % static_cast<uint64_t>(most - least + 1));
}

int64_t bytesOf(const ValueType& type, const std::function<std::optional<int64_t>(const std::string&)>& valueOf) {
  if (!type.isTensor() || type.element == ElementType::kString || type.element == ElementType::kUndefined ||
      !type.shape)
    return -1;
  std::vector<int64_t> dims;
  for (const Dim& dim : type.shape->dims()) {
    const std::optional<int64_t> value = dimValue(dim, valueOf);
    if (!value || *value < 0) return -1;
    dims.push_back(*value);
  }
  return byteSize(type.element, dims, type.layout).value_or(-1);
}

}  // namespace

std::optional<int64_t> dimValue(const Dim& dim,
                                const std::function<std::optional<int64_t>(const std::string&)>& valueOf) {
  if (dim.isKnown()) return dim.value();
  if (!dim.isSymbol()) return std::nullopt;
  DimExpression expression(dim.symbol(), valueOf);
  const std::optional<int64_t> value = expression.evaluate();
  return expression.isExpression() ? value : valueOf(dim.symbol());
}

ValueSizes::ValueSizes(const Graph& graph, const Numbers& dims, const Numbers& least, const Numbers& most) {
  constexpr int64_t kLarge = 1000;
  const auto planned = [&](const std::string& symbol) -> std::optional<int64_t> {
    const auto found = dims.find(symbol);
    return found == dims.end() ? std::nullopt : std::optional(found->second);
  };
  const auto fill = [&](std::vector<int64_t>& sizes,
                        const std::function<std::optional<int64_t>(const std::string&)>& valueOf) {
    sizes.assign(graph.valueSlots(), -1);
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (!graph.value(ValueId{i}).removed) sizes[i] = bytesOf(graph.value(ValueId{i}).type, valueOf);
    }
  };
  fill(m_planned, planned);
  for (size_t assignment = 0; assignment < kAssignments; ++assignment) {
    fill(m_assigned[assignment], [&](const std::string& symbol) -> std::optional<int64_t> {
      const auto low = least.find(symbol), high = most.find(symbol);
      const int64_t from = low == least.end() ? 0 : low->second;
      return assignedValue(assignment, symbol, from, high == most.end() ? std::max(from, kLarge) : high->second);
    });
  }
}

bool ValueSizes::alwaysEqual(size_t a, size_t b) const {
  size_t compared = 0;
  for (const auto& sizes : m_assigned) {
    if (sizes[a] != sizes[b]) return false;
    compared += sizes[a] >= 0 ? 1 : 0;
  }
  return compared > 0;
}

bool ValueSizes::alwaysAtLeast(size_t larger, size_t smaller) const {
  size_t compared = 0;
  for (const auto& sizes : m_assigned) {
    if ((sizes[larger] < 0) != (sizes[smaller] < 0) || sizes[larger] < sizes[smaller]) return false;
    compared += sizes[larger] >= 0 ? 1 : 0;
  }
  return compared > 0;
}

ValuePlaces::ValuePlaces(const Graph& graph, const allocate::AllocationPlan& plan)
    : m_graph(graph),
      m_plan(plan),
      m_owner(graph.valueSlots()),
      m_root(graph.valueSlots()),
      m_around(graph.valueSlots(), -1),
      m_divider(graph.valueSlots()) {
  const auto isInside = [&](size_t value) {
    return plan.values[value].rule == AllocRule::kPart || plan.values[value].rule == AllocRule::kSplitPart;
  };
  const auto reuses = [&](size_t value) {
    return plan.values[value].kind == AllocKind::kReuse || plan.values[value].kind == AllocKind::kShare;
  };
  std::map<std::pair<size_t, int32_t>, size_t>
      inputPlace;  // of a join: its output and which input; several values may lie there, one after another or as views
  for (size_t value = 0; value < m_owner.size(); ++value) {
    if (plan.values[value].kind == AllocKind::kReuse && plan.values[value].rule == AllocRule::kPart)
      inputPlace.try_emplace({plan.values[value].reusedBuffer.index(), plan.values[value].partIndex}, value);
  }
  for (size_t value = 0; value < m_owner.size(); ++value) {
    size_t at = value;
    while (reuses(at) && !isInside(at))
      at = plan.values[at].reusedBuffer.index();
    const bool isInput = plan.values[at].kind == AllocKind::kReuse && plan.values[at].rule == AllocRule::kPart;
    m_owner[value] = isInput ? inputPlace.at({plan.values[at].reusedBuffer.index(), plan.values[at].partIndex}) : at;
    while (reuses(at))
      at = plan.values[at].reusedBuffer.index();
    m_root[value] = at;
  }
  for (size_t value = 0; value < m_owner.size(); ++value) {
    if (plan.values[value].kind != AllocKind::kReuse || !isInside(value)) continue;
    m_around[value] = static_cast<int32_t>(m_owner[plan.values[value].reusedBuffer.index()]);
    m_divider[value] = plan.values[value].rule == AllocRule::kPart
                           ? graph.value(plan.values[value].reusedBuffer).producer
                           : graph.value(ValueId{value}).producer;
  }
}

std::vector<size_t> ValuePlaces::pathOf(size_t place) const {
  std::vector<size_t> path{place};
  while (isPart(path.back()))
    path.push_back(around(path.back()));
  std::reverse(path.begin(), path.end());
  return path;
}

bool ValuePlaces::overlap(size_t placeA, size_t placeB, const ValueSizes& sizes) const {
  if (placeA == placeB) return true;
  if (m_root[placeA] != m_root[placeB]) return false;
  if (!isPart(placeA) || !isPart(placeB)) return true;
  const std::vector<size_t> a = pathOf(placeA), b = pathOf(placeB);
  size_t same = 0;
  while (same < a.size() && same < b.size() && a[same] == b[same])
    ++same;
  if (same == a.size() || same == b.size()) return true;
  if (m_divider[a[same]] == m_divider[b[same]] && m_plan.values[a[same]].partIndex != m_plan.values[b[same]].partIndex)
    return false;
  return !apartByOffsets(placeA, placeB, sizes);
}

bool ValuePlaces::apartByOffsets(size_t placeA, size_t placeB, const ValueSizes& sizes) const {
  for (size_t assignment = 0; assignment < ValueSizes::kAssignments; ++assignment) {
    const auto sizeOf = [&](size_t value) { return sizes.assigned(assignment, value); };
    const auto startOf = [&](size_t place) -> int64_t {
      int64_t start = 0;
      for (; isPart(place); place = around(place)) {
        const std::optional<int64_t> inside = offsetInside(place, sizeOf);
        if (!inside) return -1;
        start += *inside;
      }
      return start;
    };
    const int64_t startA = startOf(placeA), startB = startOf(placeB), sizeA = sizeOf(placeA), sizeB = sizeOf(placeB);
    if (startA < 0 || startB < 0 || sizeA < 0 || sizeB < 0) return false;
    if (startA < startB + sizeB && startB < startA + sizeA) return false;
  }
  return true;
}

std::optional<int64_t> ValuePlaces::offsetInside(size_t place, const std::function<int64_t(size_t)>& sizeOf) const {
  const Node& divider = m_graph.node(m_divider[place]);
  const auto& slots = m_plan.values[place].rule == AllocRule::kPart ? divider.inputs : divider.outputs;
  const auto before = static_cast<size_t>(std::max(0, m_plan.values[place].partIndex));
  int64_t offset = 0;
  for (size_t slot = 0; slot < before && slot < slots.size(); ++slot) {
    const int64_t size = slots[slot].valid() ? sizeOf(slots[slot].index()) : -1;
    if (size < 0 || __builtin_add_overflow(offset, size, &offset)) return std::nullopt;
  }
  return offset;
}

}  // namespace cutaway
