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

// What words are looked for in stands here once, and in looksAt(); a looker says yes to what it wants to see no more
// of.
//   bool shared(const SharedText&);       texts that many nodes hold together
//   bool own(std::string_view);           of this node or value alone
//   bool value(int32_t);                  index in the node's graph
template <typename Looker>
bool looksAtValue(const ValueReport& value, Looker& looker) {
  return looker.shared(value.type) || looker.own(value.name);
}

// Whether a word is in them. Texts that nodes hold together, and values that several read, are looked at once.
class WordLooker {
 public:
  explicit WordLooker(const std::string& word) : m_word(word) {}
  void enter(const GraphReport& graph) {
    m_values.assign(graph.values.size(), false);
    for (size_t v = 0; v < m_values.size(); ++v)
      m_values[v] = looksAtValue(graph.values[v], *this);
  }
  bool shared(const SharedText& text) {
    if (text.empty()) return false;
    const auto [known, isNew] = m_known.try_emplace(text.c_str());
    if (isNew) known->second = containsLowered(text.string(), m_word);
    return known->second;
  }
  bool own(std::string_view text) const { return containsLowered(text, m_word); }
  bool value(int32_t index) const { return m_values[static_cast<size_t>(index)]; }

 private:
  const std::string& m_word;
  std::unordered_map<const void*, bool> m_known;  // by where the text lies
  std::vector<bool> m_values;                     // of the graph whose nodes are gone through
};

// Writes them below each other, in lower case, for patterns.
class LineLooker {
 public:
  explicit LineLooker(const GraphReport& graph) : m_graph(graph) {}
  bool shared(const SharedText& text) { return !text.empty() && own(text.string()); }
  bool own(std::string_view text) {
    for (const char c : text)
      m_lines += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    m_lines += '\n';
    return false;
  }
  bool value(int32_t index) { return looksAtValue(m_graph.values[static_cast<size_t>(index)], *this); }
  const std::string& lines() const { return m_lines; }

 private:
  const GraphReport& m_graph;
  std::string m_lines;
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

template <typename Looker>
bool FindIndex::looksAt(size_t place, Looker& looker) const {
  const NodeReport& of = node(place);
  const auto value = [&](int32_t index) { return index >= 0 && looker.value(index); };
  return looker.shared(of.opType) || looker.shared(of.domain) || looker.shared(of.provider) ||
         std::ranges::any_of(of.inputs, value) || std::ranges::any_of(of.outputs, value) ||
         looker.own(of.name.empty() ? nodeName({}, of.opType, static_cast<size_t>(m_places[place].node))
                                    : of.name.string()) ||
         std::ranges::any_of(of.attributes, [&](const AttributeReport& attribute) {
           return looker.shared(attribute.name) ||
                  looker.own(std::string_view(attribute.text).substr(0, kLongestAttribute));
         });
}

FindIndex::Test FindIndex::wordTest(const FindTerm& term) const {
  if (term.pattern)
    return [this, &term](size_t place) {
      LineLooker looker(graph(place));
      looksAt(place, looker);
      return term.pattern->match(text(looker.lines())).hasMatch();
    };
  // All nodes in one go.
  auto found = std::make_shared<std::vector<bool>>(m_places.size(), false);
  WordLooker looker(term.text);
  for (size_t place = 0; place < m_places.size(); ++place) {
    if (place == 0 || m_places[place].graph != m_places[place - 1].graph) looker.enter(graph(place));
    (*found)[place] = looksAt(place, looker);
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
