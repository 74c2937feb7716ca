#pragma once
// Artifacts of searches and compilations, in memory, and where a folder is given, in files named by the hash of their
// key.
//
// Thread rule: any thread. Example: auto store = std::make_shared<ArtifactMemory>(folder);

#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include "providers/cuda/backend/operations.h"

namespace cutaway::cuda {

class ArtifactMemory final : public ArtifactStore {
 public:
  explicit ArtifactMemory(std::filesystem::path folder = {}, bool sealed = false)
      : m_folder(std::move(folder)), m_sealed(sealed) {}
  bool find(std::string_view key, std::vector<std::byte>& bytes) const override;
  void keep(std::string_view key, std::span<const std::byte> bytes) override;
  bool sealed() const override { return m_sealed; }
  // Everything found or kept so far, by key.
  std::map<std::string, std::vector<std::byte>, std::less<>> all() const;

 private:
  mutable std::mutex m_mutex;
  mutable std::map<std::string, std::vector<std::byte>, std::less<>> m_known;
  std::filesystem::path m_folder;
  bool m_sealed;
};

}  // namespace cutaway::cuda
