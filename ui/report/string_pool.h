#pragma once
// Every text once: names come back in values, tables and three versions of a graph.
//
// Thread rule: one thread. Example: row.push_back(pool.index(node.name));

#include <string>
#include <unordered_map>

#include <nlohmann/json.hpp>

namespace cutaway::ui {

class StringPool {
 public:
  int index(const std::string& text) {
    const auto [place, isNew] = m_indexes.try_emplace(text, static_cast<int>(m_texts.size()));
    if (isNew) m_texts.push_back(text);
    return place->second;
  }
  nlohmann::json take() { return std::move(m_texts); }

 private:
  std::unordered_map<std::string, int> m_indexes;
  nlohmann::json m_texts = nlohmann::json::array();
};

}  // namespace cutaway::ui
