// Search over all nodes of all graphs, in the reports themselves: a copy of their texts in lower case would take as
// much memory again.
#include "ui/canvas/find_index.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "engine/base/node_name.h"
#include "ui/base/format.h"
#include "ui/canvas/find_tests.h"
#include "ui/document/node_facts.h"

namespace cutaway::ui {
namespace {

constexpr size_t kLongestAttribute = 80;
constexpr size_t kNodesBetweenChecks = 512;

void addLower(std::string& words, std::string_view part) {
  for (const char c : part)
    words += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  words += '\n';
}

// As much of it as is searched.
std::string_view shownPart(const AttributeReport& attribute) {
  return std::string_view(attribute.text).substr(0, kLongestAttribute);
}

// Whether a term is in texts that many nodes hold together: each is looked at once.
class SharedTexts {
 public:
  explicit SharedTexts(const FindTerm& term) : m_term(term) {}
  bool hold(const SharedText& text) {
    if (text.empty()) return false;
    const auto [known, isNew] = m_known.try_emplace(text.c_str());
    if (isNew) known->second = containsLowered(text.string(), m_term.text);
    return known->second;
  }

 private:
  const FindTerm& m_term;
  std::unordered_map<const void*, bool> m_known;  // by where the text lies
};

QStringList sorted(const std::set<std::string_view>& names) {
  QStringList list;
  for (const std::string_view name : names)
    if (!name.empty()) list << text(name);
  return list;
}

}  // namespace

FindIndex::FindIndex(std::shared_ptr<const ModelGraphs> graphs, size_t first) : m_graphs(std::move(graphs)) {
  std::set<std::string_view> operators, domains, types, attributes;
  for (size_t g = first; g < m_graphs->graphs.size(); ++g) {
    const GraphReport& graph = m_graphs->graphs[g];
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      const NodeReport& node = graph.nodes[n];
      m_places.push_back({static_cast<int>(g), static_cast<int>(n)});
      operators.insert(node.opType);
      if (!node.domain.empty()) domains.insert(node.domain);
      for (const AttributeReport& attribute : node.attributes)
        attributes.insert(attribute.name);
    }
    for (const ValueReport& value : graph.values)
      if (!value.consumers.empty() || value.producer >= 0) types.insert(value.elementType);
  }
  m_places.shrink_to_fit();
  m_vocabulary = {sorted(operators), sorted(domains), sorted(types), sorted(attributes)};
}

std::string FindIndex::wordsOf(size_t place) const {
  const NodeReport& node = this->node(place);
  std::string words;
  addLower(words, nodeName(node.name, node.opType, static_cast<size_t>(m_places[place].node)));
  addLower(words, node.opType);
  if (!node.domain.empty()) addLower(words, node.domain);
  if (!node.provider.empty()) addLower(words, node.provider);
  for (const auto* values : {&node.inputs, &node.outputs})
    for (const int32_t value : *values) {
      if (value < 0) continue;
      const ValueReport& report = graph(place).values[static_cast<size_t>(value)];
      addLower(words, report.name);
      addLower(words, report.type);
    }
  for (const AttributeReport& attribute : node.attributes) {
    addLower(words, attribute.name);
    addLower(words, shownPart(attribute));
  }
  return words;
}

FindIndex::Test FindIndex::wordTest(const FindTerm& term) const {
  if (term.pattern) return [this, &term](size_t place) { return term.pattern->match(text(wordsOf(place))).hasMatch(); };
  // All nodes in one go: texts that many of them share, and values that several read, are looked at once.
  auto found = std::make_shared<std::vector<bool>>(m_places.size(), false);
  SharedTexts shared(term);
  std::vector<bool> values;  // of the graph whose nodes are gone through
  for (size_t place = 0; place < m_places.size(); ++place) {
    const GraphReport& around = graph(place);
    if (place == 0 || m_places[place].graph != m_places[place - 1].graph) {
      values.assign(around.values.size(), false);
      for (size_t v = 0; v < values.size(); ++v)
        values[v] = shared.hold(around.values[v].type) || containsLowered(around.values[v].name, term.text);
    }
    const NodeReport& of = node(place);
    const auto isFound = [&](int32_t value) { return value >= 0 && values[static_cast<size_t>(value)]; };
    (*found)[place] =
        shared.hold(of.opType) || shared.hold(of.domain) || shared.hold(of.provider) ||
        std::ranges::any_of(of.inputs, isFound) || std::ranges::any_of(of.outputs, isFound) ||
        containsLowered(
            of.name.empty() ? nodeName({}, of.opType, static_cast<size_t>(m_places[place].node)) : of.name.string(),
            term.text) ||
        std::ranges::any_of(of.attributes, [&](const AttributeReport& attribute) {
          return shared.hold(attribute.name) || containsLowered(shownPart(attribute), term.text);
        });
  }
  return [found](size_t place) { return (*found)[place]; };
}

const NodeFacts* FindIndex::factsOf(const FindFacts& facts, size_t place) const {
  const auto graph = static_cast<size_t>(m_places[place].graph);
  return graph < facts.size() ? facts[graph].get() : nullptr;
}

FindIndex::Test FindIndex::factTest(const FindTerm& term, const FindFacts& facts,
                                    const std::vector<SharedText> NodeFacts::* column) const {
  return [this, &term, &facts, column](size_t place) {
    const NodeFacts* known = factsOf(facts, place);
    const size_t index = static_cast<size_t>(m_places[place].node);
    return known && index < (known->*column).size() && !(known->*column)[index].empty() &&
           textHolds(term, (known->*column)[index]);
  };
}

FindIndex::Test FindIndex::testOf(const FindTerm& term, const FindFacts& facts) const {
  // A whole name wins where there is one: op:Conv is not ConvTranspose, while op:conv is being typed it is.
  const auto named = [this, &term](auto textOf) -> Test {
    bool exact = false;
    for (size_t place = 0; place < m_places.size() && !exact && !term.whole; ++place)
      exact = equalsLowered(textOf(place), term.text);
    return [&term, textOf, exact](size_t place) {
      return exact ? equalsLowered(textOf(place), term.text) : !textOf(place).empty() && textHolds(term, textOf(place));
    };
  };
  const auto values = [this](size_t place, bool in, bool out, auto holds) {
    const auto any = [&](std::span<const int32_t> list) {
      return std::any_of(list.begin(), list.end(), [&](int32_t value) {
        return value >= 0 && holds(graph(place).values[static_cast<size_t>(value)]);
      });
    };
    return (in && any(node(place).inputs)) || (out && any(node(place).outputs));
  };
  switch (term.field) {
    case FindField::kAny:
      return wordTest(term);
    case FindField::kName:
      return [this, &term](size_t place) {
        return textHolds(term,
                         nodeName(node(place).name, node(place).opType, static_cast<size_t>(m_places[place].node)));
      };
    case FindField::kOperator:
      return named([this](size_t place) { return std::string_view(node(place).opType); });
    case FindField::kDomain:
      return named([this](size_t place) {
        return node(place).domain.empty() ? std::string_view("ai.onnx") : std::string_view(node(place).domain);
      });
    case FindField::kProvider:
      return named([this, &facts](size_t place) {
        const NodeFacts* known = factsOf(facts, place);
        const size_t index = static_cast<size_t>(m_places[place].node);
        return known && index < known->provider.size() ? std::string_view(known->provider[index])
                                                       : std::string_view(node(place).provider);
      });
    case FindField::kRefused:
      return factTest(term, facts, &NodeFacts::refusal);
    case FindField::kRewrite:
      return factTest(term, facts, &NodeFacts::rewrite);
    case FindField::kGroup:
      return factTest(term, facts, &NodeFacts::group);
    case FindField::kType: {
      const bool exact = m_vocabulary.types.contains(text(term.text), Qt::CaseInsensitive);
      return [&term, values, exact](size_t place) {
        return values(place, true, true, [&](const ValueReport& value) {
          return exact ? equalsLowered(value.elementType, term.text)
                       : !value.elementType.empty() && textHolds(term, value.elementType);
        });
      };
    }
    case FindField::kShape:
      return [&term, values](size_t place) {
        return values(place, true, true, [&](const ValueReport& value) { return shapeHolds(term, value.shape); });
      };
    case FindField::kAttribute:
      return [this, &term](size_t place) { return attributeHolds(term, node(place)); };
    case FindField::kInput:
    case FindField::kOutput:
    case FindField::kValue:
      return [&term, values](size_t place) {
        return values(place, term.field != FindField::kOutput, term.field != FindField::kInput,
                      [&](const ValueReport& value) { return textHolds(term, value.name); });
      };
    case FindField::kIndex:
      return [this, &term, &facts](size_t place) { return indexHolds(term, node(place), factsOf(facts, place)); };
    case FindField::kScope:
      return [this, &term](size_t place) { return scopeHolds(term, node(place).name); };
    case FindField::kGraph:
      return [this, &term](size_t place) { return textHolds(term, graph(place).title); };
    default:
      return [this, &term, &facts](size_t place) {
        return numberHolds(
            term, figureOf(term.field, node(place), factsOf(facts, place), static_cast<size_t>(m_places[place].node)));
      };
  }
}

std::vector<FindHit> FindIndex::search(const FindQuery& query, const FindFacts& facts,
                                       const CancelToken* cancel) const {
  std::vector<FindHit> hits;
  if (query.empty()) return hits;
  std::vector<bool> alive(m_places.size(), true);
  for (const std::vector<FindTerm>& clause : query.clauses()) {
    std::vector<std::pair<Test, bool>> tests;
    // field!=text is -field=text; figures compare by themselves.
    for (const FindTerm& term : clause)
      tests.emplace_back(testOf(term, facts),
                         term.negated != (term.relation == FindRelation::kDiffers && term.field < FindField::kStep));
    for (size_t place = 0; place < m_places.size(); ++place) {
      if (cancel && place % kNodesBetweenChecks == 0 && cancel->cancelled()) return {};
      if (alive[place])
        alive[place] = std::any_of(tests.begin(), tests.end(),
                                   [place](const auto& test) { return test.first(place) != test.second; });
    }
  }
  for (size_t place = 0; place < m_places.size(); ++place)
    if (alive[place]) hits.push_back(m_places[place]);
  return hits;
}

}  // namespace cutaway::ui
