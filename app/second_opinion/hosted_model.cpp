#include "app/second_opinion/hosted_model.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/stages/load/model_bytes.h"

namespace cutaway::opinion {

namespace ort = onnxruntime;

std::string typeText(const ort::ValueFacts& value) {
  if (value.kind != ort::ValueKind::kTensor) return {};
  std::string text(elementTypeName(static_cast<ElementType>(value.element)));
  if (!value.isRanked) return text;
  text += '[';
  for (size_t axis = 0; axis < value.dims.size(); ++axis) {
    if (axis > 0) text += ',';
    const std::string symbol = axis < value.symbols.size() ? value.symbols[axis] : std::string();
    text += value.dims[axis] >= 0 ? fmt::format("{}", value.dims[axis]) : symbol.empty() ? "?" : symbol;
  }
  return text + ']';
}

Dimensions dimensionsOf(const session::Session& session, const std::vector<execute::Feed>& feeds) {
  Dimensions sizes;
  for (const execute::NamedType& input : session.inputs()) {
    const auto feed = std::ranges::find(feeds, input.name, &execute::Feed::name);
    if (feed == feeds.end() || !feed->value.isTensor() || !input.type.shape) continue;
    const std::span<const int64_t> dims = feed->value.tensor().dims();
    for (size_t axis = 0; axis < dims.size() && axis < input.type.shape->dims().size(); ++axis)
      if (const Dim& dim = input.type.shape->dims()[axis]; dim.isSymbol()) sizes.emplace(dim.symbol(), dims[axis]);
  }
  return sizes;
}

std::optional<std::vector<Tensor>> inputsFor(const std::vector<ort::ValueFacts>& inputs,
                                             const std::vector<execute::Feed>& feeds) {
  std::vector<Tensor> tensors;
  for (const ort::ValueFacts& input : inputs) {
    const auto feed = std::ranges::find(feeds, input.name, &execute::Feed::name);
    if (feed == feeds.end() || !feed->value.isTensor()) return std::nullopt;
    tensors.push_back(feed->value.tensor());
  }
  return tensors;
}

std::vector<execute::Feed> namedResults(const ort::SessionFacts& facts, const ort::TensorRun& ran) {
  std::vector<execute::Feed> results;
  for (size_t i = 0; i < facts.outputs.size() && i < ran.outputs.size(); ++i)
    if (ran.kinds[i] == ort::ValueKind::kTensor) results.push_back({facts.outputs[i].name, ran.outputs[i]});
  return results;
}

Result<ModelBytes> bytesOf(const Model& model) {
  const auto written = std::make_shared<std::vector<std::byte>>();
  CUTAWAY_CHECK(load::writeModelBytes(model, [&](std::span<const std::byte> part) -> Result<void> {
    written->insert(written->end(), part.begin(), part.end());
    return {};
  }));
  return written;
}

load::ModelSource sourceOf(std::string_view optimized, const std::filesystem::path& model) {
  const auto bytes = std::make_shared<const std::string>(optimized);
  load::ModelSource source = load::ModelSource::memory(std::as_bytes(std::span(*bytes)), bytes);
  std::error_code unknown;  // without a current folder: the model is named by its whole path then
  source.externalFolder = std::filesystem::absolute(model, unknown).parent_path();
  return source;
}

Result<NamedGraph> withNamedNodes(const load::ModelSource& source, Progress& progress) {
  CUTAWAY_TRY(load::LoadResult loaded, load::load(source, {}, progress));
  NamedGraph named;
  int64_t count = 0;
  forEachGraph(loaded.model.graph, [&](Graph& graph, auto&&...) {
    for (const NodeId id : graph.nodeIds()) {
      graph.mutableNode(id).name = fmt::format("n{}", count++);
      if (&graph == &loaded.model.graph) named.mainNodes.insert(graph.node(id).name);
    }
    for (const ValueId id : graph.valueIds()) {
      const std::optional<Shape>& shape = graph.value(id).type.shape;
      for (size_t axis = 0; shape && axis < shape->dims().size(); ++axis)
        if (const Dim& dim = shape->dims()[axis]; dim.isSymbol()) named.openSizes.insert(dim.symbol());
    }
  });
  CUTAWAY_TRY(named.bytes, bytesOf(loaded.model));
  return named;
}

Result<ort::SessionRequest> requestOf(const std::vector<std::byte>& model) {
  ort::SessionRequest request;
  CUTAWAY_TRY(request.model, ort::SharedMemory::of({reinterpret_cast<const char*>(model.data()), model.size()}));
  request.modelBytes = model.size();
  return request;
}

}  // namespace cutaway::opinion
