#include "app/cli/refused_parts.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/base/new_file.h"
#include "engine/base/node_name.h"
#include "engine/stages/load/save.h"
#include "engine/stages/resolve/resolve.h"
#include "engine/study/accuracy/submodel.h"

namespace cutaway::cli {

namespace {

using Refused = std::map<NodeId, const NodePlacement*>;  // of one graph, by node of the optimised model

const ProviderAnswer* refusalOf(const NodePlacement& node, const RefusedFilter& filter) {
  if (node.provider == filter.provider) return nullptr;
  const auto answer =
      std::ranges::find_if(node.answers, [&](const ProviderAnswer& each) { return each.provider == filter.provider; });
  if (answer == node.answers.end() || answer->verdict == Verdict::kClaimed || answer->verdict == Verdict::kAlreadyTaken)
    return nullptr;
  return filter.cause.empty() || filter.cause == refusalCauseName(answer->cause) ? &*answer : nullptr;
}

// Placements count nodes as the providers saw them, with functions inlined; values have the same names in the model
// that was kept.
NodeId nodeOf(const Graph& graph, const GraphReport& report, const NodeReport& node) {
  for (const int32_t output : node.outputs) {
    if (output == kNone) continue;
    const ValueId value = graph.findValue(report.values[static_cast<size_t>(output)].name);
    if (!value.valid() || !graph.value(value).producer.valid()) return {};
    const NodeId id = graph.value(value).producer;
    return graph.node(id).opType == node.opType ? id : NodeId{};
  }
  return {};
}

std::map<int32_t, Refused> refusedByGraph(const WalkReport& walk, const std::vector<const Graph*>& graphs,
                                          const RefusedFilter& filter) {
  std::map<int32_t, Refused> refused;
  for (const NodePlacement& node : walk.partition->nodes) {
    if (refusalOf(node, filter) == nullptr || static_cast<size_t>(node.graph) >= graphs.size()) continue;
    const GraphReport& report = walk.optimizedGraphs->graphs[static_cast<size_t>(node.graph)];
    const NodeReport& described = report.nodes[static_cast<size_t>(node.node)];
    if (!filter.opType.empty() && described.opType != filter.opType) continue;
    const NodeId id = nodeOf(*graphs[static_cast<size_t>(node.graph)], report, described);
    if (id.valid()) refused[node.graph].emplace(id, &node);
  }
  return refused;
}

// Nodes that values connect, by union and find.
std::vector<std::vector<NodeId>> connectedParts(const Graph& graph, const Refused& refused) {
  std::vector<NodeId> nodes;
  std::map<NodeId, size_t> place;
  for (const auto& [id, placement] : refused)
    place.emplace(id, nodes.size()), nodes.push_back(id);
  std::vector<size_t> parent(nodes.size());
  std::iota(parent.begin(), parent.end(), size_t{0});
  const auto root = [&](size_t at) {
    while (parent[at] != at)
      at = parent[at] = parent[parent[at]];
    return at;
  };
  for (const NodeId id : nodes) {
    for (const ValueId output : graph.node(id).outputs) {
      if (!output.valid()) continue;
      for (const Use& use : graph.value(output).uses)
        if (const auto other = place.find(use.node); other != place.end())
          parent[root(other->second)] = root(place.at(id));
    }
  }
  std::map<size_t, std::vector<NodeId>> byRoot;
  for (size_t i = 0; i < nodes.size(); ++i)
    byRoot[root(i)].push_back(nodes[i]);
  std::vector<std::vector<NodeId>> parts;
  for (auto& [at, part] : byRoot)
    parts.push_back(std::move(part));
  std::ranges::sort(parts, {}, [](const std::vector<NodeId>& part) { return part.front(); });
  return parts;
}

void addOnce(std::vector<std::string>& list, const std::string& word) {
  if (std::ranges::find(list, word) == list.end()) list.push_back(word);
}

RefusedPart describePart(const Graph& graph, const std::vector<NodeId>& nodes, const Refused& refused,
                         const RefusedFilter& filter) {
  RefusedPart part;
  for (const NodeId id : nodes) {
    const Node& node = graph.node(id);
    const NodePlacement& placement = *refused.at(id);
    const ProviderAnswer& answer = *refusalOf(placement, filter);
    part.nodes.push_back(nodeName(node.name, node.opType, static_cast<size_t>(placement.node)));
    addOnce(part.operators, node.opType);
    addOnce(part.causes, refusalCauseName(answer.cause));
    if (part.reason.empty()) part.reason = answer.reason, part.remedy = answer.remedy;
    part.flops += std::max<int64_t>(placement.flops, 0);
  }
  return part;
}

Result<void> savePart(const Model& model, const Graph& graph, const std::vector<NodeId>& nodes,
                      const std::filesystem::path& file, const ProviderTable& table) {
  CUTAWAY_TRY(const study::Submodel cut, study::cutNodes(model, graph, nodes));
  CUTAWAY_CHECK(load::save(cut.model, file, {}));
  return checkLoadable(file, table);
}

std::string fileName(size_t number, const RefusedPart& part) {
  std::string word;
  for (const char letter : part.operators.front())
    word += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  return fmt::format("{:03}_{}{}.onnx", number, word,
                     part.nodes.size() > 1 ? fmt::format("_and_{}_more", part.nodes.size() - 1) : "");
}

}  // namespace

Result<void> checkLoadable(const std::filesystem::path& file, const ProviderTable& table) {
  session::SessionOptions options;
  options.lastStage = Stage::kResolve;
  options.prepareRun = false;
  Progress progress;
  CUTAWAY_TRY(const auto session, session::Session::create(load::ModelSource::file(file), options, table, progress));
  return {};
}

Result<std::vector<RefusedPart>> saveRefusedParts(const session::Session& session, const RefusedFilter& filter,
                                                  const std::filesystem::path& folder, const ProviderTable& table) {
  const auto walk = session.report();
  const auto model = session.optimizedModel();
  if (model == nullptr || walk->partition == nullptr)
    return fail(ErrorCode::kInvalidArgument, "the session kept no optimised model");
  std::vector<std::string> asked;
  for (const ProviderSummary& provider : walk->partition->providers)
    asked.push_back(provider.name);
  if (std::ranges::find(asked, filter.provider) == asked.end()) {
    return fail(ErrorCode::kInvalidArgument, "provider '{}' is not in the list: {} (--providers)", filter.provider,
                fmt::join(asked, ", "));
  }
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return fail(writeFailure(folder, failed.value(), 0));

  const std::vector<const Graph*> graphs = resolve::graphsInReportOrder(*model);
  std::vector<RefusedPart> parts;
  for (const auto& [index, refused] : refusedByGraph(*walk, graphs, filter)) {
    const Graph& graph = *graphs[static_cast<size_t>(index)];
    for (const std::vector<NodeId>& nodes : connectedParts(graph, refused)) {
      RefusedPart part = describePart(graph, nodes, refused, filter);
      part.file = fileName(parts.size() + 1, part);
      if (const Result<void> saved = savePart(*model, graph, nodes, folder / part.file, table); !saved) {
        if (isWriteFailure(saved.error())) return fail(saved.error());
        part.problem = describe(saved.error());
      }
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

}  // namespace cutaway::cli
