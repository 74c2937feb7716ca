// One EPContext node after the other: attributes, provider, file, checksum, versions, and the provider's own word.
#include "engine/stages/partition/restore_contexts.h"

#include <algorithm>

#include "engine/base/clock.h"
#include "engine/base/contained_file.h"
#include "engine/base/log.h"
#include "engine/base/quote.h"
#include "engine/base/span_log.h"
#include "engine/context_binary/inside_nodes.h"
#include "engine/graph/node_label.h"
#include "engine/stages/partition/claim_checks.h"
#include "engine/stages/partition/context_ports.h"
#include "engine/stages/partition/context_probe.h"
#include "engine/stages/partition/describe.h"
#include "engine/stages/partition/vendor_nodes.h"

namespace cutaway::partition {

namespace {

// Stands for a context in a partitioning that is only looked at.
class NotRestored final : public Kernel {
 public:
  Result<void> run(KernelContext& /*context*/) const override {
    return fail(ErrorCode::kFail,
                "this EPContext node was placed without restoring it, for what-if; open the model with these providers "
                "to run it");
  }
  std::string_view variant() const override { return "not restored"; }
};

// What a call to restoreContext() refers to, owned together: a provider that hangs may look at it long after everybody
// else has gone.
struct RestoreJob {
  std::shared_ptr<const Model> model;
  context_binary::FoundContext found;
  Progress progress;
  std::string nodeName;
  std::vector<Attribute> attributes;
};

struct VendorJob {
  VendorContext context;
  Progress progress;
};

void note(ContextNodeReport& report, const char* name, CheckState state, std::string detail) {
  report.checks.push_back({name, state, std::move(detail)});
}

// What find() was doing when it failed.
const char* checkNameOf(const Error& error, bool isEmbedded) {
  switch (error.code) {
    case ErrorCode::kNotFound:
      return "partition";
    case ErrorCode::kEpFail:
      return error.message.find("checksum") != std::string::npos || error.message.find("changed") != std::string::npos
                 ? "checksum"
                 : "format";
    default:
      return isEmbedded ? "attributes" : "file";
  }
}

std::string listOf(std::span<const std::unique_ptr<ExecutionProvider>> providers) {
  std::string text;
  for (const std::unique_ptr<ExecutionProvider>& provider : providers)
    text += (text.empty() ? "" : ", ") + provider->name();
  return text;
}

std::string sourceText(const std::string& source, std::span<const context_binary::ContextSource> known) {
  if (source.empty()) return "a provider that it does not name";
  // A stranger's word: control characters must not reach a terminal.
  if (std::ranges::any_of(source, [](unsigned char c) { return c < 0x20 || c == 0x7f; })) return quotedText(source);
  const std::string title = context_binary::sourceTitle(source, known);
  return title == source ? source : fmt::format("{} ({})", title, source);
}

void describeAttributes(const context_binary::ContextNode& attributes,
                        std::span<const context_binary::ContextSource> known, ContextNodeReport& report) {
  report.source = attributes.source;
  report.sourceTitle =
      attributes.source.empty() ? std::string() : context_binary::sourceTitle(attributes.source, known);
  report.isMain = attributes.isMain;
  report.isEmbedded = attributes.isMain && attributes.isEmbedded;
  report.partitionName = attributes.partitionName;
  report.sdkVersion = attributes.sdkVersion;
  report.hardware = attributes.hardware;
  report.modelFile = attributes.modelFile;
  report.notes = attributes.notes;
  report.maxSizeBytes = attributes.maxSizeBytes;
  if (attributes.isMain && !attributes.isEmbedded) report.file = std::string(attributes.cache);
  if (report.isEmbedded) {
    report.fileBytes = static_cast<int64_t>(attributes.cache.size());
    report.format = formatOfBinary(std::as_bytes(std::span(attributes.cache)),
                                   context_binary::findSource(attributes.source, known));
  }
}

// What the node brings along about the nodes inside it. `described`: the node as it stands in the report; its graph is
// read again only to say why there is none.
void describeInside(const Node& node, const ModelGraphs& graphs, const NodeReport& described,
                    ContextNodeReport& report) {
  if (described.inside != kNone) {
    report.insideNodes = static_cast<int64_t>(graphs.graphs[static_cast<size_t>(described.inside)].nodes.size());
    return;
  }
  const auto told =
      std::ranges::find(node.metadata, context_binary::kInsideKey, &std::pair<std::string, std::string>::first);
  if (told == node.metadata.end()) return;
  if (const Result<GraphReport> inside = context_binary::readInside(told->second); !inside)
    note(report, "inside", CheckState::kWarning,
         "the file's description of the nodes inside cannot be read: " + inside.error().message);
}

// The file beside the model, as far as it can be told without a provider.
void probeFile(const std::filesystem::path& folder, std::span<const context_binary::ContextSource> known,
               ContextNodeReport& report) {
  const bool isToldAlready = std::ranges::any_of(
      report.checks, [](const ContextCheck& check) { return check.name == "path" || check.name == "file"; });
  if (report.file.empty() || report.fileBytes >= 0 || isToldAlready) return;
  const Result<std::shared_ptr<const MappedFile>> file = openContained(folder, report.file);
  if (!file) {
    note(report, "file", CheckState::kFailed, file.error().message);
    return;
  }
  report.fileBytes = static_cast<int64_t>((*file)->bytes().size());
  report.format = formatOfBinary((*file)->bytes(), context_binary::findSource(report.source, known));
  note(report, "file", CheckState::kPassed, fmt::format("{}, {} bytes", report.file, report.fileBytes));
}

// Equal, or not said by one of them.
Result<void> checkSame(const char* name, const std::string& made, const std::string& here, const std::string& provider,
                       ContextNodeReport& report) {
  if (made.empty() || here.empty()) {
    note(report, name, CheckState::kSkipped,
         made.empty() ? fmt::format("the binary does not say its {}", name)
                      : fmt::format("{} does not say its {}", provider, name));
    return {};
  }
  if (made == here) {
    note(report, name, CheckState::kPassed, made);
    return {};
  }
  std::string detail = fmt::format(
      "it was compiled for {} '{}', and {} here has '{}': export the original model again with what is here", name,
      made, provider, here);
  note(report, name, CheckState::kFailed, detail);
  return fail(ErrorCode::kEpFail, "{}", std::move(detail));
}

// What the vendor's library tells of the binary, whether or not it is for the target here.
void describeBinary(ProviderCalls& calls, ExecutionProvider& provider, VendorContexts* vendor,
                    const std::shared_ptr<const VendorJob>& job, ContextNodeReport& report) {
  Result<BinaryDescription> told = calls.call<BinaryDescription>(
      provider, [job, vendor] { return vendor->describeBinary(job->context, job->progress); });
  if (!told) {
    note(report, "graphs", CheckState::kWarning, told.error().message);
    return;
  }
  if (told->toldBy.empty()) return;
  report.binary = *std::move(told);
  note(report, "graphs", CheckState::kPassed,
       fmt::format("{} in the binary, told by {}", report.binary.graphs.size(), report.binary.toldBy));
}

}  // namespace

struct ContextNodes::Entry {
  ContextNodeReport report;
  ExecutionProvider* provider = nullptr;
  std::string fusedName;
  CompiledNode compiled;
  std::string refusal;  // why nobody has it
};

ContextNodes::ContextNodes(std::shared_ptr<Model> model, Providers providers, const PartitionOptions& options,
                           Progress& progress, ProviderCalls& calls)
    : m_model(std::move(model)), m_providers(providers), m_options(options), m_progress(progress), m_calls(calls) {}

ContextNodes::~ContextNodes() = default;

Result<void> ContextNodes::take(std::span<GraphAssignment> assignments) {
  std::vector<std::pair<GraphAssignment*, NodeId>> fresh, all;
  // Assignments are in the order of asking, inner graphs first; files are read in the order of the model.
  for (size_t i = assignments.size(); i-- > 0;) {
    const Graph& graph = *assignments[i].graph;
    for (size_t index = 0; index < graph.nodeSlots(); ++index) {
      if (graph.node(NodeId{index}).removed || !context_binary::isContextNode(graph.node(NodeId{index}))) continue;
      all.emplace_back(&assignments[i], NodeId{index});
      if (!m_entries.contains({&graph, index})) fresh.push_back(all.back());
    }
  }
  if (!fresh.empty()) {
    m_nodesOfName.clear();
    forEachGraph(m_model->graph, [&](const Graph& graph) {
      for (const NodeId id : graph.nodeIds())
        ++m_nodesOfName[graph.node(id).name];
    });
    for (const auto& [assignment, id] : fresh) {
      auto& entry = m_entries[{assignment->graph, id.index()}];
      entry = std::make_unique<Entry>();
      const Node& node = assignment->graph->node(id);
      entry->report.name = node.name;
      if (const Result<context_binary::ContextNode> attributes = context_binary::readContextNode(node))
        describeAttributes(*attributes, m_options.contextSources, entry->report);
    }
  }
  if (m_options.compile && (!fresh.empty() || (m_options.contextPlace.stopShare && m_catalogs.empty())))
    m_catalogs.push_back(std::make_unique<context_binary::ContextCatalog>(*m_model, m_options.contextPlace));
  if (!fresh.empty()) {
    const SpanScope span("restore contexts");
    for (const auto& [assignment, id] : fresh)
      CUTAWAY_CHECK(restore(*assignment->graph, id, *m_entries.at({assignment->graph, id.index()})));
  }
  for (const auto& [assignment, id] : all)
    take(*assignment, id, *m_entries.at({assignment->graph, id.index()}));
  return {};
}

// Errors stay with the entry when the model is only looked at.
Result<void> ContextNodes::restore(const Graph& graph, NodeId id, Entry& entry) {
  if (m_progress.cancelled()) return fail(cancelledError());
  const std::string title = nodeLabel(graph, id);
  const auto refuse = [&](Error error) -> Result<void> {
    if (error.code == ErrorCode::kModelLoadCanceled && m_progress.cancelled()) return fail(cancelledError());
    entry.refusal = error.message;
    if (std::ranges::find(entry.report.checks, "restored", &ContextCheck::name) == entry.report.checks.end())
      note(entry.report, "restored", CheckState::kSkipped, "not tried");
    if (!m_options.runnable) return {};
    return fail(atNode(std::move(error), graph.node(id).name));
  };
  const Result<context_binary::ContextNode> attributes = context_binary::readContextNode(graph.node(id));
  if (!attributes) {
    note(entry.report, "attributes", CheckState::kFailed, attributes.error().message);
    return refuse(attributes.error());
  }
  note(entry.report, "attributes", CheckState::kPassed,
       entry.report.isMain ? (entry.report.isEmbedded ? "it carries its binary" : "it names the file of its binary")
                           : "it refers to the binary of another node");

  std::vector<ExecutionProvider*> candidates;
  std::string without;  // who is its source and keeps no contexts
  for (const std::unique_ptr<ExecutionProvider>& each : m_providers) {
    const bool named = !entry.report.source.empty();
    if (named && !context_binary::sameSource(entry.report.source, each->name())) continue;
    const ContextSupport support = each->contextSupport();
    if (support.kind != ContextKind::kNone)
      candidates.push_back(each.get());
    else if (named)
      without = fmt::format("; {}", support.reason.empty() ? each->name() + " keeps no contexts" : support.reason);
  }
  if (candidates.empty()) {
    std::string message =
        fmt::format("{} was compiled by {}; the session has {}, and none of them can restore it{}", title,
                    sourceText(entry.report.source, m_options.contextSources), listOf(m_providers), without);
    note(entry.report, "provider", CheckState::kFailed, message);
    probeFile(m_options.contextPlace.folder, m_options.contextSources, entry.report);
    return refuse({ErrorCode::kNotImplemented, std::move(message), {}});
  }
  if (!m_options.compile) {
    note(entry.report, "provider", CheckState::kPassed, candidates.front()->name());
    note(entry.report, "restored", CheckState::kSkipped, "nothing is restored for what-if");
    entry.provider = candidates.front();
    entry.compiled = {.kernel = std::make_shared<const NotRestored>(), .inplace = {}};
  }
  std::optional<Error> failure;
  const ContextNodeReport before = entry.report;
  for (ExecutionProvider* candidate : m_options.compile ? candidates : std::vector<ExecutionProvider*>()) {
    if (failure && m_progress.cancelled()) break;
    ContextNodeReport said = std::exchange(entry.report, before);
    Result<CompiledNode> restored = restoreWith(graph, id, *candidate, entry);
    if (restored) {
      entry.provider = candidate;
      entry.compiled = *std::move(restored);
      failure.reset();
      break;
    }
    // A partition that is not there says less than what went wrong with one that is.
    const bool keepsFirst = failure && restored.error().code == ErrorCode::kNotFound;
    if (keepsFirst) {
      entry.report = std::move(said);
    } else {
      failure = std::move(restored).error();
    }
  }
  if (failure) {
    probeFile(m_options.contextPlace.folder, m_options.contextSources, entry.report);
    return refuse(*std::move(failure));
  }
  entry.fusedName = freeName(graph.node(id).name);
  entry.report.provider = entry.provider->name();
  return {};
}

Result<CompiledNode> ContextNodes::restoreWith(const Graph& graph, NodeId id, ExecutionProvider& provider,
                                               Entry& entry) {
  const Stopwatch watch;
  ContextNodeReport& report = entry.report;
  const ContextSupport support = provider.contextSupport();
  note(report, "provider", CheckState::kPassed,
       support.kind == ContextKind::kDescribed ? fmt::format("{}: {}", provider.name(), support.reason)
                                               : provider.name());
  m_progress.begin("Partition", "restoring " + nodeLabel(graph, id));
  CUTAWAY_TRY(std::optional<CompiledNode> vendors, restoreVendor(graph, id, provider, entry));
  if (vendors) {
    report.restoreTimeNs = watch.elapsedNs();
    return *std::move(vendors);
  }
  Result<context_binary::FoundContext> found = m_catalogs.back()->find(graph.node(id), provider.name(), m_progress);
  if (!found) {
    const bool isBadPath = !report.file.empty() && !checkContainedName(report.file);
    note(report, isBadPath ? "path" : checkNameOf(found.error(), report.isEmbedded || !report.isMain),
         CheckState::kFailed, found.error().message);
    return fail(std::move(found).error());
  }
  const context_binary::ContextPartition& partition = *found->partition;
  report.isPlaceholder = support.kind == ContextKind::kDescribed;
  report.fileBytes = found->binary->fileBytes();
  report.partitionBytes = partition.sizeBytes();
  report.format = fmt::format("Cutaway context {}", context_binary::kContextFormatVersion);
  report.sharedBytes = found->sharedBytes;
  if (report.isMain && !report.isEmbedded)
    note(report, "path", CheckState::kPassed, "relative, inside the model's folder");
  note(report, "file", CheckState::kPassed, fmt::format("{}, {} bytes", found->place, report.fileBytes));
  note(report, "format", CheckState::kPassed, report.format);
  const int64_t unverified = found->binary->unverifiedBytes(partition);
  note(report, "checksum", CheckState::kPassed,
       fmt::format("{} bytes in {} {}{}", report.partitionBytes, partition.sections.size(),
                   partition.sections.size() == 1 ? "section" : "sections",
                   unverified == 0 ? "" : fmt::format("; {} of them, numbers alone, by the first run", unverified)));
  // The node's own word counts as much as the binary's.
  CUTAWAY_CHECK(checkSame("SDK version", report.sdkVersion.empty() ? partition.sdkVersion : report.sdkVersion,
                          support.sdkVersion, provider.name(), report));
  if (partition.sdkVersion != report.sdkVersion && !report.sdkVersion.empty() && !partition.sdkVersion.empty())
    CUTAWAY_CHECK(checkSame("SDK version", partition.sdkVersion, support.sdkVersion, provider.name(), report));
  CUTAWAY_CHECK(checkSame("hardware", report.hardware.empty() ? partition.hardware : report.hardware, support.hardware,
                          provider.name(), report));
  if (partition.hardware != report.hardware && !report.hardware.empty() && !partition.hardware.empty())
    CUTAWAY_CHECK(checkSame("hardware", partition.hardware, support.hardware, provider.name(), report));
  Result<PortBinding> binding = bindPorts(graph, id, partition);
  if (!binding) {
    note(report, "ports", CheckState::kFailed, binding.error().message);
    return fail(std::move(binding).error());
  }
  note(report, "ports", CheckState::kPassed,
       binding->inOrder ? "in the node's order" : "in another order than the node's, which decides");
  Result<CompiledNode> compiled = callProvider(provider, *found, graph.node(id));
  if (!compiled) {
    Error error = std::move(compiled).error();
    error.message = fmt::format("provider {} cannot restore {} from {}: {}", provider.name(), nodeLabel(graph, id),
                                found->place, error.message);
    note(report, "restored", CheckState::kFailed, error.message);
    return fail(std::move(error));
  }
  note(report, "restored", CheckState::kPassed, "by " + provider.name());
  report.restoreTimeNs = watch.elapsedNs();
  return behindNode(*std::move(compiled), *std::move(binding), *found);
}

Result<std::optional<CompiledNode>> ContextNodes::restoreVendor(const Graph& graph, NodeId id,
                                                                ExecutionProvider& provider, Entry& entry) {
  auto* const vendor = dynamic_cast<VendorContexts*>(&provider);
  if (vendor == nullptr) return std::optional<CompiledNode>();
  ContextNodeReport& report = entry.report;
  Result<std::vector<VendorPlace>> places = vendorPlaces(*m_model, graph, id, m_options.contextPlace.folder);
  if (!places) {
    const bool isBadPath = !report.file.empty() && !checkContainedName(report.file);
    note(report, isBadPath ? "path" : "file", CheckState::kFailed, places.error().message);
    return fail(std::move(places).error());
  }
  std::optional<Error> failure;
  for (VendorPlace& place : *places) {
    const ContextNodeReport before = report;
    Result<CompiledNode> restored = restoreFrom(graph, id, {&provider, vendor}, std::move(place), report);
    if (restored) return std::optional<CompiledNode>(*std::move(restored));
    if (m_progress.cancelled()) return fail(cancelledError());
    // The first that was tried says most: the others are tried because nobody knows which one has the node.
    if (failure)
      report = before;
    else
      failure = std::move(restored).error();
  }
  if (!failure) return std::optional<CompiledNode>();
  // As the providers of ONNX Runtime answer that write such contexts: a program that knows them makes the context again
  // on this code (its documentation of EPContext; QNN and OpenVINO).
  if (failure->code == ErrorCode::kEpFail) failure->code = ErrorCode::kInvalidGraph;
  return fail(*std::move(failure));
}

Result<CompiledNode> ContextNodes::restoreFrom(const Graph& graph, NodeId id, VendorProvider provider,
                                               VendorPlace place, ContextNodeReport& report) {
  report.fileBytes = static_cast<int64_t>(place.context.bytes.size());
  report.partitionBytes = report.fileBytes;
  report.format =
      formatOfBinary(place.context.bytes, context_binary::findSource(report.source, m_options.contextSources));
  note(report, "file", CheckState::kPassed, fmt::format("{}, {} bytes", place.title, report.fileBytes));
  note(report, "format", CheckState::kPassed, report.format);
  if (Result<void> intact = checkVendorBytes(place, m_progress); !intact) {
    note(report, "checksum", CheckState::kFailed, intact.error().message);
    return fail(std::move(intact).error());
  }
  note(report, "checksum", place.checksum.empty() ? CheckState::kSkipped : CheckState::kPassed,
       place.checksum.empty() ? "the model tells none: who made it writes none" : place.checksum);
  const std::string title = place.title;
  const auto job = std::make_shared<const VendorJob>(std::move(place.context), Progress(m_progress.token()));
  describeBinary(m_calls, *provider.provider, provider.vendor, job, report);
  if (m_progress.cancelled()) return fail(cancelledError());
  const std::string compatibility = compatibilityOf(*m_model, report.source);
  if (const std::string objection = provider.vendor->objectionTo(compatibility); !objection.empty()) {
    note(report, "compatibility", CheckState::kFailed, objection);
    return fail(ErrorCode::kEpFail, "{}", objection);
  }
  note(report, "compatibility", compatibility.empty() ? CheckState::kSkipped : CheckState::kPassed,
       compatibility.empty() ? "the model does not say what its contexts need" : compatibility);
  context_binary::ContextPartition ports;
  ports.name = report.partitionName;
  ports.inputs = job->context.inputs;
  ports.outputs = job->context.outputs;
  Result<PortBinding> binding = bindPorts(graph, id, ports);
  if (!binding) {
    note(report, "ports", CheckState::kFailed, binding.error().message);
    return fail(std::move(binding).error());
  }
  Result<CompiledNode> compiled = m_calls.call<CompiledNode>(*provider.provider, [job, vendor = provider.vendor] {
    return vendor->restoreVendorContext(job->context, job->progress);
  });
  if (m_progress.cancelled()) return fail(cancelledError());
  if (compiled && compiled->kernel == nullptr) compiled = fail(ErrorCode::kEpFail, "it gave no kernel");
  if (!compiled) {
    Error error = std::move(compiled).error();
    if (error.code == ErrorCode::kModelLoadCanceled) error.code = ErrorCode::kEpFail;
    error.message = fmt::format("provider {} cannot restore {} from {}: {}", provider.provider->name(),
                                nodeLabel(graph, id), title, error.message);
    note(report, "restored", CheckState::kFailed, error.message);
    return fail(std::move(error));
  }
  note(report, "restored", CheckState::kPassed, "by " + provider.provider->name());
  return behindNode(*std::move(compiled), *std::move(binding), ports);
}

Result<CompiledNode> ContextNodes::callProvider(ExecutionProvider& provider, const context_binary::FoundContext& found,
                                                const Node& node) {
  auto job = std::make_shared<const RestoreJob>(
      RestoreJob{m_model, found, Progress(m_progress.token()), node.name, context_binary::ownAttributes(node)});
  Result<CompiledNode> compiled = m_calls.call<CompiledNode>(provider, [job, &provider] {
    return provider.restoreContext({*job->found.partition, job->found.binary, job->nodeName, job->attributes},
                                   job->progress);
  });
  if (m_progress.cancelled()) return fail(cancelledError());
  if (!compiled && compiled.error().code == ErrorCode::kModelLoadCanceled)
    return fail(ErrorCode::kEpFail, "restoreContext() reports a cancellation that was not requested");
  if (compiled && compiled->kernel == nullptr) return fail(ErrorCode::kEpFail, "restoreContext() gave no kernel");
  return compiled;
}

void ContextNodes::take(GraphAssignment& assignment, NodeId id, const Entry& entry) {
  assignment.answers.resize(assignment.graph->nodeSlots());
  std::vector<ProviderAnswer>& answers = assignment.answers[id.index()];
  for (const std::unique_ptr<ExecutionProvider>& each : m_providers) {
    if (each.get() == entry.provider) {
      answers.push_back({each->name(), Verdict::kClaimed, RefusalCause::kOther, {}});
    } else if (entry.provider != nullptr) {
      answers.push_back(
          {each->name(), Verdict::kAlreadyTaken, RefusalCause::kOther, "compiled by " + entry.provider->name()});
    } else {
      answers.push_back({each->name(),
                         Verdict::kRefused,
                         RefusalCause::kOperator,
                         entry.refusal,
                         "EPContext nodes go to the provider that compiled them",
                         "source " + (entry.report.source.empty() ? "not said" : entry.report.source),
                         {}});
    }
  }
  if (entry.provider == nullptr) return;
  AcceptedGroup group;
  group.nodes = {id};
  group.metaDef.name = context_binary::kContextOperator;
  group.metaDef.domain = context_binary::kContextDomain;
  group.provider = entry.provider;
  group.fusedName = entry.fusedName;
  group.compiled = entry.compiled;
  group.restored = true;
  const Node& node = assignment.graph->node(id);
  std::ranges::copy_if(node.inputs, std::back_inserter(group.metaDef.inputs),
                       [](ValueId value) { return value.valid(); });
  std::ranges::copy_if(node.outputs, std::back_inserter(group.metaDef.outputs),
                       [](ValueId value) { return value.valid(); });
  assignment.graph->setProvider(id, entry.provider->name());
  assignment.contraction.contract(group.nodes);
  assignment.groups.push_back(std::move(group));
}

// Compiled kernels are found by name, so it must be one over all graphs.
std::string ContextNodes::freeName(const std::string& wanted) {
  if (!wanted.empty() && m_nodesOfName[wanted] == 1) return wanted;
  for (int64_t n = 1;; ++n) {
    std::string name = fmt::format("{}_{}", wanted.empty() ? context_binary::kContextOperator : wanted, n);
    if (m_nodesOfName[name]++ == 0) return name;
  }
}

std::vector<ContextNodeReport> ContextNodes::reports(const ModelGraphs& described) const {
  std::vector<ContextNodeReport> reports;
  const std::unordered_map<const Graph*, int32_t> graphs = indexGraphs(*m_model);
  for (const auto& [graph, index] : graphs) {
    int32_t position = 0;
    for (const NodeId id : graph->nodeIds()) {
      const auto found = m_entries.find({graph, id.index()});
      if (found != m_entries.end()) {
        reports.push_back(found->second->report);
        reports.back().graph = index;
        reports.back().node = position;
        describeInside(graph->node(id), described,
                       described.graphs[static_cast<size_t>(index)].nodes[static_cast<size_t>(position)],
                       reports.back());
      }
      ++position;
    }
  }
  std::ranges::sort(reports, [](const ContextNodeReport& a, const ContextNodeReport& b) {
    return std::pair(a.graph, a.node) < std::pair(b.graph, b.node);
  });
  return reports;
}

}  // namespace cutaway::partition
