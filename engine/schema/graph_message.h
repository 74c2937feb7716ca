#pragma once
// A graph as the bytes of an ONNX model and back, with its large weights where the caller wants them.
//
// What comes back is the graph that went in: nodes with attributes, bodies and metadata, types of all values with
// symbols as they were, operator versions. Constant nodes come back as initializers; origins stay behind. The bytes are
// read without trust (proto_reader.h), but a well-formed message says nothing about whether its operators and types
// fit: see engine/provider/graph_sections.h. Thread rule: pure. Example: CUTAWAY_TRY(const std::string bytes,
// writeGraphMessage(group.graph, group.model.opsets, [](const Tensor&) { return std::nullopt; }));

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/model.h"
#include "engine/schema/wire_reader.h"

namespace cutaway {

// The text under which the tensor's bytes are found again; nullopt: they go into the message. Not asked about strings
// and types that files hold packed.
using WeightPlace = std::function<std::optional<std::string>(const Tensor& tensor)>;
// FAIL when the message would pass protobuf's 2 GB.
Result<std::string> writeGraphMessage(const Graph& graph, const std::vector<OpsetImport>& opsets,
                                      const WeightPlace& place);

struct GraphMessageReading {
  std::shared_ptr<const void> keepAlive;  // of the message: small weights are used where they lie
  std::function<Result<Tensor>(std::string_view place, ElementType type, std::span<const int64_t> dims)> weight;
  std::function<bool()> cancelled;
};
// The model holds the graph and the opsets it imports. INVALID_PROTOBUF, INVALID_GRAPH, what `weight` says,
// MODEL_LOAD_CANCELED.
Result<Model> readGraphMessage(ByteSpan bytes, const GraphMessageReading& reading);

}  // namespace cutaway
