#include "tests/unit/providers/declared/declared_fixture.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "engine/graph/text.h"
#include "engine/graph/topology.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/declared/provider.h"

namespace cutaway::testing {

namespace {

[[noreturn]] void stop(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
}

}  // namespace

std::string toyProfile(const std::string& operators, const std::string& extra) {
  return R"({
"schema": "cutaway.profile/1",
"name": "Toy", "title": "Toy NPU", "version": "1", "date": "2026-11-21",
"sources": {"manual": {"title": "Manual", "date": "2026-10"}, "blog": {"title": "Blog", "date": "2025"}},
)" + extra +
         "\n\"operators\": " + operators + "}\n";
}

std::unique_ptr<ExecutionProvider> declaredFrom(const std::string& profile, ProviderOptions options,
                                                std::string* error) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("cutaway_profile_{}.json", getpid());
  std::ofstream(path) << profile;
  Result<std::unique_ptr<ExecutionProvider>> made =
      declaredProvider().create({.options = std::move(options), .argument = path.string()});
  std::filesystem::remove(path);
  if (made) return *std::move(made);
  if (error == nullptr) stop(describe(made.error()));
  *error = made.error().message;
  return nullptr;
}

Asked::Asked(const std::string& text) {
  Result<Model> parsed =
      parseModelText(text.front() == '<' ? text : "<ir_version: 8, opset_import: [\"\" : 17]>\n" + text);
  if (!parsed) stop(describe(parsed.error()));
  model = *std::move(parsed);
  const Result<ResolveReport> resolved = resolve::resolve(model, {.trace = false}, m_progress);
  if (!resolved) stop(describe(resolved.error()));
  m_names = std::make_unique<GroupNamer>(model);
}

CapabilityAnswer Asked::answerAbout(ExecutionProvider& provider, const Graph& graph) {
  std::vector<NodeId> free = *topologicalOrder(graph);
  std::erase_if(free, [&](NodeId id) { return !graph.node(id).provider.empty(); });
  Result<CapabilityAnswer> answer = provider.capability(
      {.model = model, .graph = graph, .free = free, .progress = m_progress, .names = m_names.get()});
  if (!answer) stop(describe(answer.error()));
  return *std::move(answer);
}

std::string claimsText(const Graph& graph, const CapabilityAnswer& answer) {
  std::string text;
  for (const ComputeCapability& claim : answer.claims) {
    if (!text.empty()) text += " |";
    for (const NodeId id : claim.subGraph.nodes)
      text += (text.empty() ? "" : " ") + graph.node(id).name;
  }
  return text;
}

const Refusal* refusalOf(const Graph& graph, const CapabilityAnswer& answer, const std::string& node) {
  const auto found = std::find_if(answer.refusals.begin(), answer.refusals.end(),
                                  [&](const Refusal& each) { return graph.node(each.node).name == node; });
  return found == answer.refusals.end() ? nullptr : &*found;
}

}  // namespace cutaway::testing
