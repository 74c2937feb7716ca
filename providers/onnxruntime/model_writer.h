#pragma once
// Groups as ONNX bytes for the library, their large weights beside them in shared memory.
//
// Thread rule: pure. The weights are copied once, when the group is compiled; the library then uses them where they
// lie. Example: CUTAWAY_TRY(const GroupModel model, writeGroupModel(group.graph, group.model.opsets));

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/model.h"
#include "providers/onnxruntime/client/client.h"

namespace cutaway::onnxruntime {

// The library copies what is smaller than 128 bytes anyhow; what is smaller than this goes into the message.
inline constexpr int64_t kElsewhereBytes = 1024;

struct GroupModel {
  std::shared_ptr<const SharedMemory> model;
  uint64_t modelBytes = 0;
  std::vector<SharedWeights> weights;  // none, or one
};
// EP_FAIL: larger than a message may be; FAIL: memory is short.
Result<GroupModel> writeGroupModel(const Graph& graph, const std::vector<OpsetImport>& opsets);

// These nodes of a graph as a model of their own, in this order: what they take from outside are its inputs, what
// others use of them its outputs. Each is called by its number, whatever it was called before, so that whatever becomes
// of it can be followed back. Bodies keep their names. With their types, values inside keep the shapes that followed
// from nodes outside; `known` are shapes for values whose own are open.
enum class InnerTypes { kLeftOut, kWritten };
using KnownShapes = std::map<std::string, std::vector<int64_t>>;
Result<GroupModel> writeNumberedModel(const Graph& graph, std::span<const NodeId> nodes,
                                      const std::vector<OpsetImport>& opsets, InnerTypes types,
                                      const KnownShapes& known = {});
// The node's name in such a model, and back: the library adds to names ("_token_7", "/MatMulAddFusion") and puts its
// own before them. nullopt: it is none of ours.
std::string numberedName(NodeId id);
std::optional<NodeId> numberIn(std::string_view name);

}  // namespace cutaway::onnxruntime
