#pragma once
// A model as ONNX Runtime's host process gets it, and what comes back from there in this engine's words.
//
// Thread rule: pure, but for loading. Example: CUTAWAY_TRY(const NamedGraph graph, withNamedNodes(source, progress));

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/execute/run_types.h"
#include "engine/session/session.h"
#include "engine/stages/load/load.h"
#include "providers/onnxruntime/client/client.h"

namespace cutaway::opinion {

using Dimensions = std::map<std::string, int64_t>;
using ModelBytes = std::shared_ptr<const std::vector<std::byte>>;

// "float[batch,3,224,224]"; empty for what is no tensor.
std::string typeText(const onnxruntime::ValueFacts& value);
// Sizes of the named open dimensions of inputs, as the feeds have them.
Dimensions dimensionsOf(const session::Session& session, const std::vector<execute::Feed>& feeds);
// The inputs in the session's order; nullopt where one is no tensor or is not there.
std::optional<std::vector<Tensor>> inputsFor(const std::vector<onnxruntime::ValueFacts>& inputs,
                                             const std::vector<execute::Feed>& feeds);
// The tensors among the results.
std::vector<execute::Feed> namedResults(const onnxruntime::SessionFacts& facts, const onnxruntime::TensorRun& ran);

struct NamedGraph {
  ModelBytes bytes;
  std::set<std::string> mainNodes;
  std::set<std::string> openSizes;  // symbols: a graph that ONNX Runtime wrote for some sizes has fewer than its model
};

// The model with every node under a name of its own, n0, n1 ...: both engines then speak of the same nodes.
Result<NamedGraph> withNamedNodes(const load::ModelSource& source, Progress& progress);
Result<ModelBytes> bytesOf(const Model& model);
// A model that ONNX Runtime optimised: it still refers to the weights that lie beside the model it was made of.
load::ModelSource sourceOf(std::string_view optimized, const std::filesystem::path& model);
// Of a session on these bytes, which go to the host in shared memory.
Result<onnxruntime::SessionRequest> requestOf(const std::vector<std::byte>& model);

}  // namespace cutaway::opinion
