#include "engine/provider/execution_provider.h"

#include <cstring>

namespace cutaway {

namespace {

// The registry's reasons are texts; the cause is which of its three questions said no.
Refusal refusalOf(const Graph& graph, NodeId id, const KernelRegistry::Match& match) {
  const Node& node = graph.node(id);
  const std::string name = node.domain.empty() ? node.opType.string() : node.domain + ":" + node.opType;
  if (match.reason.rfind("no kernel for operator", 0) == 0)
    return {id, RefusalCause::kOperator, match.reason, "kernels." + name, name, {}};
  if (match.reason.rfind("no kernel for version", 0) == 0) {
    const size_t versions = match.reason.find("kernels cover ");
    return {
        id,
        RefusalCause::kVersion,
        match.reason,
        "kernels." + name + ".versions",
        fmt::format("version {}", node.sinceVersion),
        versions == std::string::npos ? std::string() : "one of the versions that " + match.reason.substr(versions)};
  }
  const size_t takes = match.reason.find("this kernel takes ");
  return {id,
          RefusalCause::kType,
          match.reason,
          "kernels." + name + ".types",
          match.reason.substr(0, match.reason.find(';')),
          takes == std::string::npos ? std::string() : "one of the types " + match.reason.substr(takes + 18)};
}

}  // namespace

Result<CapabilityAnswer> ExecutionProvider::capability(const CapabilityRequest& request) {
  CapabilityAnswer answer;
  const KernelRegistry* registry = kernels();
  for (const NodeId id : request.free) {
    if (request.progress.cancelled()) return fail(cancelledError());
    const KernelRegistry::Match match =
        registry == nullptr ? KernelRegistry::Match{.reason = "no kernel for operator: this provider has no kernels"}
                            : registry->find(request.graph, id);
    if (match.row != nullptr) {
      answer.claims.push_back({.subGraph = {.nodes = {id}, .metaDef = std::nullopt}});
    } else {
      answer.refusals.push_back(refusalOf(request.graph, id, match));
    }
  }
  return answer;
}

Result<std::vector<CompiledNode>> ExecutionProvider::compile(std::span<const FusedSubGraph> groups,
                                                             const Progress& /*progress*/) {
  if (groups.empty()) return std::vector<CompiledNode>{};
  return fail(ErrorCode::kEpFail, "provider {} cannot compile groups of nodes", name());
}

Result<std::vector<ProviderRewrite>> ExecutionProvider::rewriteAssigned(Model& /*model*/, Graph& /*graph*/,
                                                                        int /*optimizationLevel*/) {
  return std::vector<ProviderRewrite>{};
}

Result<void> ExecutionProvider::copy(const Tensor& from, Tensor& to) const {
  if (from.sizeBytes() != to.sizeBytes())
    return fail(ErrorCode::kInvalidArgument, "copy of {} bytes into a tensor of {} bytes", from.sizeBytes(),
                to.sizeBytes());
  if (from.type() == ElementType::kString) {
    const std::span<const std::string> strings = from.span<std::string>();
    std::copy(strings.begin(), strings.end(), static_cast<std::string*>(to.mutableData()));
  } else if (from.sizeBytes() > 0) {
    std::memcpy(to.mutableData(), from.data(), static_cast<size_t>(from.sizeBytes()));
  }
  return {};
}

ContextSupport ExecutionProvider::contextSupport() const {
  return {.kind = ContextKind::kNone,
          .reason = fmt::format("{} runs nodes by kernel: nothing is compiled that could be kept", name()),
          .sdkVersion = {},
          .hardware = {}};
}

Result<context_binary::ContextPartition> ExecutionProvider::exportContext(const ContextExport& /*compiled*/,
                                                                          const Progress& /*progress*/) {
  return fail(ErrorCode::kNotImplemented, "provider {} cannot keep what it compiled", name());
}

Result<CompiledNode> ExecutionProvider::restoreContext(const ContextRestore& stored, const Progress& /*progress*/) {
  return fail(ErrorCode::kNotImplemented, "provider {} has no compiled contexts, and '{}' is one", name(),
              stored.nodeName);
}

CompatibilityVerdict ExecutionProvider::checkCompatibility(std::string_view /*info*/) const {
  return {};
}

}  // namespace cutaway
