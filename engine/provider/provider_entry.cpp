#include "engine/provider/provider_entry.h"

#include <algorithm>

namespace cutaway {

const ProviderEntry* findEntry(const ProviderTable& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &ProviderEntry::name);
  return found == table.end() ? nullptr : &*found;
}

std::string lastResort(const ProviderTable& table) {
  const auto found = std::ranges::find(table, true, &ProviderEntry::takesTheRest);
  return found == table.end() ? std::string() : found->name;
}

std::vector<context_binary::ContextSource> contextSources(const ProviderTable& table) {
  std::vector<context_binary::ContextSource> all;
  for (const ProviderEntry& entry : table)
    all.insert(all.end(), entry.contextSources.begin(), entry.contextSources.end());
  return all;
}

}  // namespace cutaway
