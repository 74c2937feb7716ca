#pragma once
// Finds the binary of every EPContext node of a model: inside the node, beside the model, or among what other sessions
// share.
//
// Nothing is opened before a provider is to restore a node; each file once. Main and dependent nodes may stand in any
// order and in any graph. Thread rule: one loading. Example:
//   ContextCatalog catalog(model, {.folder = model.path.parent_path()});
//   CUTAWAY_TRY(const FoundContext found, catalog.find(graph.node(id), "onednn", progress));

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/base/mapped_file.h"
#include "engine/base/mapped_pages.h"
#include "engine/context_binary/binary_reader.h"
#include "engine/context_binary/context_node.h"
#include "engine/graph/model.h"

namespace cutaway::context_binary {

struct ContextPlace {
  std::filesystem::path folder;  // where names of files start; empty: the working directory
  bool share = false;            // ep.share_ep_contexts
  bool stopShare = false;        // ep.stop_share_ep_contexts: the group is emptied when this catalog goes
  std::string shareGroup;        // ep.context_share_group, a key of this engine
  bool checkLater = false;       // checksums of large sections of numbers are left to the first run
};

struct FoundContext {
  ContextNode attributes;
  std::shared_ptr<const ContextBinary> binary;
  const ContextPartition* partition = nullptr;  // checked, as far as ContextPlace says; lives as long as the binary
  std::string place;        // for people: "model_ctx_onednn_1f2e.bin", "inside the node", "shared by group 'llm'"
  int64_t sharedBytes = 0;  // of the partition, where another session of the share group had opened the binary already
};

class ContextCatalog {
 public:
  // Embedded binaries become tensors of bytes in their nodes' attributes, which copies of the graph and whoever
  // restores share (a text would be one more copy of the weights). Nodes read as before.
  ContextCatalog(Model& model, ContextPlace place);
  ~ContextCatalog();

  bool empty() const { return m_nodes == 0; }
  // INVALID_GRAPH: attributes or path are bad, the file is missing or may not be read, no main node; EP_FAIL: the
  // binary is damaged or not of this program; NOT_FOUND: it has no such partition. provider: who asks; nodes that name
  // no source are looked up under its name.
  Result<FoundContext> find(const Node& node, const std::string& provider, const Progress& progress);

 private:
  struct Opened {
    std::shared_ptr<const ContextBinary> binary;
    bool wasShared = false;  // another session had it already
  };
  struct Main {
    Node node;  // name, attributes and outputs only
    std::optional<ContextNode> context{};
    std::optional<Result<Opened>> opened{};  // for dependent nodes: asked once, whatever comes of it
  };
  // What dependent nodes of one source have seen of the main nodes, in their order.
  struct Seen {
    size_t next = 0;                                      // main node to look at
    std::unordered_map<std::string_view, size_t> mainOf;  // by name of the partition
    std::unordered_set<const ContextBinary*> binaries;
    std::optional<Error> problem;  // the first
    std::string searched;
    size_t searchedMains = 0;
  };
  Result<Opened> open(const ContextNode& main, const Node& node);
  Result<Opened> openEmbedded(const Node& node);
  Result<Opened> openFile(const std::string& name, const std::string& nodeName);
  // The main node whose binary has the partition; nullptr: none.
  const Main* mainOf(Seen& seen, std::string_view source, const std::string& partition);
  void look(Seen& seen, size_t index, std::string_view source);
  Result<FoundContext> findDependent(const Node& node, ContextNode attributes, std::string_view source);
  FoundContext found(ContextNode attributes, const Opened& opened, const ContextPartition& partition,
                     std::string place) const;

  ContextPlace m_place;
  int64_t m_nodes = 0;
  std::vector<Main> m_mains;
  std::map<std::string, Seen, std::less<>> m_seen;                         // by source; of some of them
  std::map<const void*, std::shared_ptr<const ContextBinary>> m_embedded;  // by the tensor's bytes
  std::map<std::string, Opened> m_files;                                   // by the name that nodes give
  std::map<FilePlace, Opened> m_places;                                    // the same by their places on the disk
};

}  // namespace cutaway::context_binary
