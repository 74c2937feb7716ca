#include "providers/cuda/artifact_memory.h"

#include "providers/cuda/artifact_file.h"

namespace cutaway::cuda {

bool ArtifactMemory::find(std::string_view key, std::vector<std::byte>& bytes) const {
  const std::scoped_lock lock(m_mutex);
  const auto found = m_known.find(key);
  if (found != m_known.end()) {
    bytes = found->second;
    return true;
  }
  if (m_folder.empty() || !readArtifact(m_folder, key, bytes)) return false;
  m_known.emplace(std::string(key), bytes);
  return true;
}

// A folder that cannot be written costs only the next start's time. No bytes at all say that there is no way: that may
// have had passing causes (little memory, another library), so the folder does not hear of it.
void ArtifactMemory::keep(std::string_view key, std::span<const std::byte> bytes) {
  const std::scoped_lock lock(m_mutex);
  m_known[std::string(key)].assign(bytes.begin(), bytes.end());
  if (!m_folder.empty() && !bytes.empty()) static_cast<void>(writeArtifact(m_folder, key, bytes));
}

std::map<std::string, std::vector<std::byte>, std::less<>> ArtifactMemory::all() const {
  const std::scoped_lock lock(m_mutex);
  return m_known;
}

}  // namespace cutaway::cuda
