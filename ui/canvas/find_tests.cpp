// What a term asks, answered for one node.
#include "ui/canvas/find_tests.h"

#include <algorithm>
#include <cmath>

#include "ui/base/format.h"
#include "ui/document/node_facts.h"

namespace cutaway::ui {
namespace {

// "[1, 3,x]" -> "1", "3", "x"; an empty list for scalars.
std::vector<std::string_view> dimsOf(std::string_view shape) {
  std::vector<std::string_view> dims;
  if (!shape.empty() && shape.front() == '[') shape.remove_prefix(1);
  if (!shape.empty() && shape.back() == ']') shape.remove_suffix(1);
  while (!shape.empty()) {
    const size_t comma = shape.find(',');
    std::string_view dim = shape.substr(0, comma);
    while (!dim.empty() && dim.front() == ' ')
      dim.remove_prefix(1);
    while (!dim.empty() && dim.back() == ' ')
      dim.remove_suffix(1);
    dims.push_back(dim);
    if (comma == std::string_view::npos) break;
    shape.remove_prefix(comma + 1);
  }
  return dims;
}

// Wildcards over lists, as file names are matched: on a mismatch the latest "..." takes one more.
bool dimsMatch(const std::vector<std::string>& pattern, const std::vector<std::string_view>& dims) {
  size_t p = 0, d = 0, star = std::string::npos, mark = 0;
  while (d < dims.size()) {
    if (p < pattern.size() && pattern[p] == "...") {
      star = p++;
      mark = d;
    } else if (p < pattern.size() && (pattern[p] == "*" || equalsLowered(dims[d], pattern[p]))) {
      ++p, ++d;
    } else if (star != std::string::npos) {
      p = star + 1;
      d = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == "...")
    ++p;
  return p == pattern.size();
}

bool sameNumber(std::string_view a, std::string_view b) {
  bool goodA = false, goodB = false;
  const double x = text(a).toDouble(&goodA), y = text(b).toDouble(&goodB);
  return goodA && goodB && x == y;
}

std::string withoutBlanks(std::string_view words) {
  std::string result;
  for (const char c : words)
    if (c != ' ' && c != '[' && c != ']' && c != '(' && c != ')' && c != '"') result += c;
  return result;
}

}  // namespace

bool textHolds(const FindTerm& term, std::string_view words) {
  if (term.pattern) return term.pattern->match(text(words)).hasMatch();
  return term.whole ? equalsLowered(words, term.text) : containsLowered(words, term.text);
}

bool shapeHolds(const FindTerm& term, std::string_view shape) {
  if (shape.empty()) return false;
  const std::vector<std::string_view> dims = dimsOf(shape);
  if (term.whole) return dimsMatch(term.dims, dims);
  return std::any_of(dims.begin(), dims.end(), [&](std::string_view dim) { return equalsLowered(dim, term.text); });
}

bool attributeHolds(const FindTerm& term, const NodeReport& node) {
  for (const AttributeReport& attribute : node.attributes) {
    if (!equalsLowered(attribute.name, term.attribute)) continue;
    if (term.relation == FindRelation::kContains) return true;  // it is there
    if (term.pattern) return term.pattern->match(text(attribute.text)).hasMatch();
    const std::string wanted = withoutBlanks(term.text), have = withoutBlanks(attribute.text);
    if (equalsLowered(have, wanted) || sameNumber(have, wanted)) return true;
    // One of a list: attr:pads=1 finds [0, 1, 0, 1].
    const std::vector<std::string_view> parts = dimsOf(have);
    return std::any_of(parts.begin(), parts.end(),
                       [&](std::string_view part) { return equalsLowered(part, wanted) || sameNumber(part, wanted); });
  }
  return false;
}

bool scopeHolds(const FindTerm& term, std::string_view name) {
  std::string_view scope = term.text;
  while (!scope.empty() && scope.front() == '/')
    scope.remove_prefix(1);
  while (!scope.empty() && (scope.back() == '/' || (scope.back() == '*' && scope.size() > 1)))
    scope.remove_suffix(1);
  while (!name.empty() && name.front() == '/')
    name.remove_prefix(1);
  if (scope.find('*') != std::string_view::npos) {
    const size_t slash = name.rfind('/');
    return term.pattern &&
           (term.pattern->match(text(name.substr(0, slash == std::string_view::npos ? 0 : slash))).hasMatch() ||
            term.pattern->match(text(name)).hasMatch());
  }
  // Whole parts only: layer.1 does not hold what is in layer.11.
  return name.size() > scope.size() && equalsLowered(name.substr(0, scope.size()), scope) &&
         (scope.empty() || name[scope.size()] == '/' || name[scope.size()] == '.');
}

bool numberHolds(const FindTerm& term, double value) {
  if (value < 0 || std::isnan(value)) return false;
  switch (term.relation) {
    case FindRelation::kLess:
      return value < term.low;
    case FindRelation::kAtMost:
      return value <= term.low;
    case FindRelation::kMore:
      return value > term.low;
    case FindRelation::kAtLeast:
      return value >= term.low;
    case FindRelation::kBetween:
      return value >= term.low && value <= term.high;
    case FindRelation::kDiffers:
      return value != term.low;
    default:
      return value == term.low;
  }
}

bool indexHolds(const FindTerm& term, const NodeReport& node, const NodeFacts* facts) {
  if (!facts) return false;
  const auto holds = [&](int32_t value) {
    return value >= 0 && static_cast<size_t>(value) < facts->ortValueIndex.size() &&
           numberHolds(term, facts->ortValueIndex[static_cast<size_t>(value)]);
  };
  return std::any_of(node.inputs.begin(), node.inputs.end(), holds) ||
         std::any_of(node.outputs.begin(), node.outputs.end(), holds);
}

double figureOf(FindField field, const NodeReport& node, const NodeFacts* facts, size_t index) {
  const auto present = [](std::span<const int32_t> values) {
    return static_cast<double>(std::count_if(values.begin(), values.end(), [](int32_t value) { return value >= 0; }));
  };
  if (field == FindField::kInputs) return present(node.inputs);
  if (field == FindField::kOutputs) return present(node.outputs);
  if (!facts) return -1;
  const auto of = [index](const std::vector<int64_t>& column) {
    return index < column.size() ? static_cast<double>(column[index]) : -1;
  };
  switch (field) {
    case FindField::kStep:
      return of(facts->step);
    case FindField::kTime:
      return of(facts->timeNs);
    case FindField::kMemory:
      return of(facts->outputBytes);
    case FindField::kFlops:
      return of(facts->flops);
    case FindField::kParameters:
      return of(facts->parameters);
    case FindField::kWeights:
      return of(facts->weightBytes);
    case FindField::kMoved:
      return of(facts->movedBytes);
    case FindField::kError:
      return index < facts->error.size() ? facts->error[index] : -1;
    default:
      return -1;
  }
}

}  // namespace cutaway::ui
