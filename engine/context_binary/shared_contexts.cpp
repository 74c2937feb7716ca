#include "engine/context_binary/shared_contexts.h"

#include <algorithm>
#include <map>

namespace cutaway::context_binary {

SharedContexts& SharedContexts::group(const std::string& name) {
  // Never destroyed: sessions of other threads may outlive the end of main.
  static auto* const mutex = new std::mutex;
  static auto* const groups = new std::map<std::string, std::unique_ptr<SharedContexts>>;
  const std::scoped_lock lock(*mutex);
  std::unique_ptr<SharedContexts>& found = (*groups)[name];
  if (found == nullptr) found = std::make_unique<SharedContexts>();
  return *found;
}

std::shared_ptr<const ContextBinary> SharedContexts::findFile(std::span<const std::byte> mapped) const {
  const auto place = placeInFile(mapped);
  if (!place) return nullptr;
  const std::scoped_lock lock(m_mutex);
  const auto found =
      std::ranges::find_if(m_binaries, [&](const Held& held) { return placeInFile(held.binary->bytes()) == place; });
  return found == m_binaries.end() ? nullptr : found->binary;
}

SharedContexts::Found SharedContexts::findPartition(std::string_view source, std::string_view name) const {
  const std::scoped_lock lock(m_mutex);
  for (const Held& held : m_binaries) {
    if (const ContextPartition* const partition = held.binary->find(source, name)) return {held.binary, partition};
  }
  return {};
}

void SharedContexts::add(std::shared_ptr<const ContextBinary> binary) {
  const std::scoped_lock lock(m_mutex);
  if (std::ranges::find(m_binaries, binary, &Held::binary) == m_binaries.end())
    m_binaries.push_back({std::move(binary), {}});
}

void SharedContexts::take(const ContextBinary& binary, const ContextPartition& partition) {
  Held gone;  // its binary goes outside of the lock: the last owner unmaps gigabytes
  const std::scoped_lock lock(m_mutex);
  const auto held = std::ranges::find_if(m_binaries, [&](const Held& each) { return each.binary.get() == &binary; });
  if (held == m_binaries.end()) return;
  held->taken.insert(&partition);
  if (held->taken.size() < binary.partitions().size()) return;
  gone = std::move(*held);
  m_binaries.erase(held);
}

void SharedContexts::clear() {
  std::vector<Held> gone;  // as in take()
  const std::scoped_lock lock(m_mutex);
  gone.swap(m_binaries);
}

int64_t SharedContexts::heldBytes() const {
  const std::scoped_lock lock(m_mutex);
  int64_t bytes = 0;
  for (const Held& held : m_binaries)
    bytes += held.binary->fileBytes();
  return bytes;
}

}  // namespace cutaway::context_binary
