#include "engine/schema/convert_opset.h"

#include <algorithm>
#include <new>

#include <onnx/onnx_pb.h>
#include <onnx/version_converter/convert.h>

#include "engine/base/short_memory.h"
#include "engine/schema/model_message.h"
#include "engine/schema/onnx_schemas.h"
#include "engine/schema/proto_reader.h"
#include "engine/schema/proto_writer.h"

namespace cutaway {
namespace {

constexpr int64_t kMostBytes = int64_t{1} << 30;  // the converter holds weights several times

int64_t weightBytes(const Model& model) {
  int64_t bytes = 0;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const ValueId id : graph.initializers())
      bytes += graph.value(id).initializer->sizeBytes();
  });
  return bytes;
}

void takeOrigins(const Graph& from, Graph& to) {
  std::vector<OriginId> gone;
  for (const NodeId id : from.nodeIds()) {
    const Node& node = from.node(id);
    const bool there =
        !node.outputs.empty() && node.outputs[0].valid() && to.findValue(from.value(node.outputs[0]).name).valid();
    if (!there) gone.insert(gone.end(), node.origins.begin(), node.origins.end());
  }
  for (const NodeId id : to.nodeIds()) {
    Node& node = to.mutableNode(id);
    const ValueId output = node.outputs.empty() ? ValueId() : node.outputs[0];
    const ValueId same = output.valid() ? from.findValue(to.value(output).name) : ValueId();
    const NodeId maker = same.valid() ? from.value(same).producer : NodeId();
    node.origins = maker.valid() ? from.node(maker).origins : ShortList<OriginId>(gone);
  }
}

Result<std::string> converted(const Model& model, int64_t version) {
  try {
    makeOnnxRegistry();
    onnx::ModelProto proto;
    writeModelHeader(model.opsets, proto);
    proto.set_ir_version(model.irVersion);
    writeGraph(model.graph, *proto.mutable_graph());
    const onnx::ModelProto result = onnx::version_conversion::ConvertVersion(proto, static_cast<int>(version));
    std::string bytes;
    if (!result.graph().SerializeToString(&bytes)) return fail(ErrorCode::kNotImplemented, "it is too large");
    return bytes;
  } catch (const std::bad_alloc& refused) {
    return fail(outOfMemory(refused, "in onnx's version converter"));
  } catch (const std::exception& exception) {
    // Its assertions begin with a place in its sources.
    std::string_view words = exception.what();
    constexpr std::string_view kBehindPlace = "failed: ";
    if (const size_t at = words.find(kBehindPlace); at != std::string_view::npos)
      words.remove_prefix(at + kBehindPlace.size());
    return fail(ErrorCode::kNotImplemented, "onnx's version converter: {}", words);
  }
}

}  // namespace

Result<Model> convertOpset(const Model& model, int64_t version) {
  if (!model.functions.empty())
    return fail(ErrorCode::kNotImplemented, "models with functions of their own cannot be converted to another opset");
  const bool hasBodies =
      std::ranges::any_of(model.graph.nodeIds(), [&](NodeId id) { return model.graph.node(id).hasBodies(); });
  if (hasBodies)
    return fail(ErrorCode::kNotImplemented,
                "models with control flow are not converted: their bodies would lose what "
                "says where their nodes come from");
  if (weightBytes(model) > kMostBytes)
    return fail(ErrorCode::kNotImplemented, "models with more than {} MB of weights are not converted",
                kMostBytes >> 20);
  CUTAWAY_TRY(std::string bytes, converted(model, version));
  const auto kept = std::make_shared<const std::string>(std::move(bytes));
  Model result = model;
  result.graph = Graph(model.graph.name());
  ProtoReader reader({.keepAlive = kept, .irVersion = model.irVersion});
  CUTAWAY_CHECK(reader.readGraph(std::as_bytes(std::span(*kept)), "", result.graph));
  result.graph.loadedFromFile = model.graph.loadedFromFile;
  result.graph.overridableInitializers = model.graph.overridableInitializers;
  for (OpsetImport& import : result.opsets)
    if (import.domain.empty() || import.domain == "ai.onnx") import.version = version;
  takeOrigins(model.graph, result.graph);
  return result;
}

}  // namespace cutaway
