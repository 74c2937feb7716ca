#pragma once
// Groups as ONNX bytes for the library, their large weights beside them in shared memory.
//
// Thread rule: pure. The weights are copied once, when the group is compiled; the library then uses them where they
// lie. Example: CUTAWAY_TRY(const GroupModel model, writeGroupModel(group.graph, group.model.opsets));

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

}  // namespace cutaway::onnxruntime
