#include "ui/canvas/find_index.h"

#include <algorithm>

namespace cutaway::ui {
namespace {

constexpr size_t kLongestAttribute = 80;

void addLower(std::string& words, std::string_view part) {
  for (const char c : part) words += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  words += '\n';
}

}  // namespace

FindIndex::FindIndex(std::shared_ptr<const ModelGraphs> graphs) {
  for (size_t g = 0; g < graphs->graphs.size(); ++g) {
    const GraphReport& graph = graphs->graphs[g];
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      const NodeReport& node = graph.nodes[n];
      std::string words;
      addLower(words, node.name);
      addLower(words, node.opType);
      if (!node.domain.empty()) addLower(words, node.domain);
      if (!node.provider.empty()) addLower(words, node.provider);
      for (const auto* values : {&node.inputs, &node.outputs})
        for (const int32_t value : *values) {
          if (value < 0) continue;
          addLower(words, graph.values[value].name);
          addLower(words, graph.values[value].type);
        }
      for (const AttributeReport& attribute : node.attributes) {
        addLower(words, attribute.name);
        addLower(words, std::string_view(attribute.text).substr(0, kLongestAttribute));
      }
      m_places.push_back({static_cast<int>(g), static_cast<int>(n)});
      m_words.push_back(std::move(words));
    }
  }
}

std::vector<FindHit> FindIndex::search(const FindQuery& query) const {
  std::vector<FindHit> hits;
  if (query.empty()) return hits;
  std::vector<std::string> terms;
  for (const QString& term : query.terms()) terms.push_back(term.toLower().toStdString());
  for (size_t i = 0; i < m_words.size(); ++i)
    if (std::all_of(terms.begin(), terms.end(), [&](const std::string& term) { return m_words[i].find(term) != std::string::npos; })) hits.push_back(m_places[i]);
  return hits;
}

}  // namespace cutaway::ui
