#include "engine/context/export_group.h"

#include <set>

#include "engine/base/exception_text.h"
#include "engine/base/quote.h"
#include "engine/context_binary/context_node.h"

namespace cutaway::context {
namespace {

using Exported = Result<context_binary::ContextPartition>;

// Everything the call looks at, owned together: a provider that hangs may look at it long after everybody else has
// gone.
Exported ask(ExecutionProvider& provider, const std::shared_ptr<const FusedSubGraph>& group,
             const std::shared_ptr<const Kernel>& kernel, const Progress& progress) {
  try {
    return provider.exportContext({*group, *kernel}, progress);
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kRuntimeException, "it threw an exception: {}", exceptionText(exception));
  } catch (...) {
    return fail(ErrorCode::kRuntimeException, "it threw something that is no std::exception");
  }
}

std::vector<context_binary::ContextPort> portsOf(const Graph& graph, std::span<const ValueId> values) {
  std::vector<context_binary::ContextPort> ports;
  for (const ValueId id : values)
    ports.push_back({graph.value(id).name, graph.value(id).type});
  return ports;
}

std::string objectionTo(const context_binary::ContextPartition& partition) {
  if (partition.sections.empty()) return "it gave no bytes to keep";
  std::set<std::string_view> names;
  for (const context_binary::ContextSection& section : partition.sections) {
    if (!names.insert(section.name).second)
      return fmt::format("it gave two sections called {}", quotedText(section.name));
  }
  names.clear();
  for (const Attribute& own : partition.attributes) {
    if (const std::string objection = context_binary::objectionToOwn(own); !objection.empty())
      return fmt::format("its attribute {} cannot stand on the node: {}", quotedText(own.name), objection);
    if (!names.insert(own.name).second) return fmt::format("it gave two attributes called {}", quotedText(own.name));
  }
  return {};
}

}  // namespace

Result<context_binary::ContextPartition> exportGroup(const KeptGroup& kept, const std::shared_ptr<const Model>& model,
                                                     ProviderCalls& calls, const Progress& progress) {
  const auto quiet = std::make_shared<const Progress>(progress.token());
  Exported exported = calls.call<context_binary::ContextPartition>(
      *kept.provider, [provider = kept.provider, group = kept.group, kernel = kept.kernel, model, quiet] {
        return ask(*provider, group, kernel, *quiet);
      });
  if (progress.cancelled()) return fail(cancelledError());
  std::string objection;
  if (!exported) {
    const Error& error = exported.error();
    return fail(Error{error.code,
                      fmt::format("provider {} could not export group {} ({} nodes): {}", kept.provider->name(),
                                  kept.name, kept.group->graph.nodeCount(), error.message),
                      error.where});
  }
  objection = objectionTo(*exported);
  if (!objection.empty())
    return fail(ErrorCode::kInvalidGraph, "group {} of {} has no replacement: {}", kept.name, kept.provider->name(),
                objection);
  exported->name = kept.name;
  exported->source = kept.provider->name();
  exported->sdkVersion = kept.support.sdkVersion;
  exported->hardware = kept.support.hardware;
  exported->inputs = portsOf(kept.group->graph, kept.group->graph.inputs());
  exported->outputs = portsOf(kept.group->graph, kept.group->graph.outputs());
  return exported;
}

}  // namespace cutaway::context
