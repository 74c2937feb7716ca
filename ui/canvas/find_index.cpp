// Search over all nodes of all graphs. Plain words are looked for in one block of text that holds all nodes, which is
// quicker than node by node; other terms look at the reports.
#include "ui/canvas/find_index.h"

#include <algorithm>
#include <cstring>
#include <set>

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
      m_starts.push_back(m_words.size());
      addLower(m_words, nodeName(node.name, node.opType, n));
      addLower(m_words, node.opType);
      operators.insert(node.opType);
      if (!node.domain.empty()) addLower(m_words, node.domain), domains.insert(node.domain);
      if (!node.provider.empty()) addLower(m_words, node.provider);
      for (const auto* values : {&node.inputs, &node.outputs})
        for (const int32_t value : *values) {
          if (value < 0) continue;
          const ValueReport& report = graph.values[static_cast<size_t>(value)];
          addLower(m_words, report.name);
          addLower(m_words, report.type);
          types.insert(report.elementType);
        }
      for (const AttributeReport& attribute : node.attributes) {
        addLower(m_words, attribute.name);
        addLower(m_words, std::string_view(attribute.text).substr(0, kLongestAttribute));
        attributes.insert(attribute.name);
      }
    }
  }
  m_starts.push_back(m_words.size());
  m_words.shrink_to_fit();
  m_starts.shrink_to_fit();
  m_places.shrink_to_fit();
  m_vocabulary = {sorted(operators), sorted(domains), sorted(types), sorted(attributes)};
}

FindIndex::Test FindIndex::wordTest(const FindTerm& term) const {
  if (term.pattern)
    return [this, &term](size_t place) {
      return term.pattern
          ->match(text(std::string_view(m_words).substr(m_starts[place], m_starts[place + 1] - m_starts[place])))
          .hasMatch();
    };
  // Every node that has the word, in one go; after a hit the search goes on at the next node.
  auto found = std::make_shared<std::vector<bool>>(m_places.size(), false);
  size_t from = 0;
  while (from < m_words.size()) {
    const void* hit = memmem(m_words.data() + from, m_words.size() - from, term.text.data(), term.text.size());
    if (!hit) break;
    const size_t at = static_cast<size_t>(static_cast<const char*>(hit) - m_words.data());
    const size_t place =
        static_cast<size_t>(std::upper_bound(m_starts.begin(), m_starts.end(), at) - m_starts.begin()) - 1;
    if (place >= m_places.size()) break;
    (*found)[place] = true;
    from = m_starts[place + 1];
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
