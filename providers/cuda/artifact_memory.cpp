#include "providers/cuda/artifact_memory.h"

namespace cutaway::cuda {

bool ArtifactMemory::find(std::string_view key, std::vector<std::byte>& bytes) const {
  const std::scoped_lock lock(m_mutex);
  const auto found = m_known.find(key);
  if (found == m_known.end()) return false;
  bytes = found->second;
  return true;
}

void ArtifactMemory::keep(std::string_view key, std::span<const std::byte> bytes) {
  const std::scoped_lock lock(m_mutex);
  m_known[std::string(key)].assign(bytes.begin(), bytes.end());
}

std::map<std::string, std::vector<std::byte>, std::less<>> ArtifactMemory::all() const {
  const std::scoped_lock lock(m_mutex);
  return m_known;
}

}  // namespace cutaway::cuda
