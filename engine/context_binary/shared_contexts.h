#pragma once
// Context binaries that sessions of one process have in common (session keys ep.share_ep_contexts,
// ep.stop_share_ep_contexts).
//
// A share group keeps the binaries that its sessions have opened: each until the last of its partitions is taken, all
// of them until a session with stop_share has taken what it needs. The same file is opened and checked once. A
// dependent node without a main node in its own model finds its partition here. Thread rule: any thread. Example:
// SharedContexts::group("llm").add(binary);

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "engine/base/mapped_pages.h"
#include "engine/context_binary/binary_reader.h"

namespace cutaway::context_binary {

class SharedContexts {
 public:
  // Made when first asked for; lives for the process.
  static SharedContexts& group(const std::string& name);

  std::shared_ptr<const ContextBinary> findFile(
      std::span<const std::byte> mapped) const;  // by its place on the disk; nullptr: not here
  struct Found {
    std::shared_ptr<const ContextBinary> binary;
    const ContextPartition* partition = nullptr;
  };
  Found findPartition(std::string_view source, std::string_view name) const;
  void add(std::shared_ptr<const ContextBinary> binary);
  // A session has this partition: a binary whose partitions are all taken is let go (sessions keep what they have).
  void take(const ContextBinary& binary, const ContextPartition& partition);
  void clear();  // stop_share: sessions keep what they have
  int64_t heldBytes() const;

 private:
  mutable std::mutex m_mutex;
  struct Held {
    std::shared_ptr<const ContextBinary> binary;
    std::set<const ContextPartition*> taken;
  };
  std::vector<Held> m_binaries;
};

}  // namespace cutaway::context_binary
