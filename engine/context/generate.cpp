#include "engine/context/generate.h"

#include "engine/base/clock.h"
#include "engine/base/quote.h"
#include "engine/context/export_group.h"
#include "engine/context/share_export.h"
#include "engine/context/write_exports.h"

namespace cutaway::context {
namespace {

namespace fs = std::filesystem;

// Where the model goes and whether it may, before any provider is asked.
Result<fs::path> targetOf(const ContextInput& input, const ContextOptions& options) {
  CUTAWAY_CHECK(checkContextOptions(options));
  if (options.modelSink) {
    if (options.share || options.stopShare)
      return fail(ErrorCode::kInvalidArgument,
                  "models that share contexts lie beside their binary, so they are written to files: leave out the "
                  "stream, or ep.share_ep_contexts");
    const bool needsFolder = !options.embed || !options.initializersFile.empty();
    if (needsFolder && options.binaryStem.empty()) {
      return fail(ErrorCode::kInvalidArgument,
                  "a model that goes to a stream has no place for the files beside it: set ep.context_embed_mode=1 "
                  "(and no external initializers), or give a folder and a name for them");
    }
    return fs::path();
  }
  CUTAWAY_TRY(fs::path target, contextFileFor(input.source, options));
  CUTAWAY_CHECK(checkContextTarget(target, options));
  std::error_code error;
  if (!input.source.empty() && fs::equivalent(target, input.source, error))
    return fail(ErrorCode::kInvalidArgument,
                "the context model would replace the model that it is made from, {}: choose another name",
                quotedText(target.string()));
  return target;
}

// Nodes and weights of the model as it was captured, before anything is left out.
ContextWritten figuresOf(const Model& model, size_t groups) {
  ContextWritten figures;
  forEachGraph(model.graph, [&](const Graph& graph) {
    figures.otherNodes += static_cast<int64_t>(graph.nodeCount());
    for (const ValueId id : graph.initializers()) {
      const Tensor& tensor = *graph.value(id).initializer;
      if (tensor.type() != ElementType::kString) figures.weightBytes += tensor.sizeBytes();
    }
  });
  figures.contextNodes = static_cast<int64_t>(groups);
  figures.otherNodes -= figures.contextNodes;
  return figures;
}

Result<std::vector<context_binary::ContextPartition>> exportGroups(std::span<const KeptGroup> groups,
                                                                   const std::shared_ptr<const Model>& model,
                                                                   Progress& progress) {
  ProviderCalls calls(progress.token());
  std::vector<context_binary::ContextPartition> partitions;
  for (size_t i = 0; i < groups.size(); ++i) {
    progress.update(i, groups.size());
    CUTAWAY_CHECK(
        contextStep(progress, fmt::format("exporting group {} of {} ({})", i + 1, groups.size(), groups[i].name)));
    CUTAWAY_TRY(context_binary::ContextPartition partition, exportGroup(groups[i], model, calls, progress));
    partitions.push_back(std::move(partition));
  }
  progress.update(groups.size(), groups.size());
  return partitions;
}

// Nothing compiled: the plain model, nothing, or an error, as the options say.
Result<ContextWritten> writePlain(const ContextInput& input, const ContextOptions& options, const fs::path& target,
                                  Progress& progress) {
  constexpr const char* kNothing = "nothing of this model was compiled by a provider that keeps contexts";
  if (options.failWhenNothingCompiled)
    return fail(
        ErrorCode::kFail,
        "{}, so there is no context model; see which nodes the providers refused, and why, in the partition report",
        kNothing);
  const bool stops = options.stopShare;
  ContextWritten written = figuresOf(*input.captured.fused, 0);
  if (!options.writeUncompiled) {
    written.warnings.push_back(fmt::format("{}: no context model is written", kNothing));
    if (!stops) return written;
    const std::string warning = written.warnings.back();
    CUTAWAY_TRY(written, writeSharedExports(options.shareGroup, std::nullopt, progress));
    written.warnings.push_back(warning);
    return written;
  }
  written.warnings.push_back(fmt::format("{}: the model is written as it is", kNothing));
  PendingExport made{.target = target,
                     .options = options,
                     .model = plainModelOf(input.captured),
                     .nodes = {},
                     .partitions = {},
                     .figures = std::move(written)};
  if (stops) return writeSharedExports(options.shareGroup, std::move(made), progress);
  if (options.share) return addSharedExport(std::move(made));
  return writeExports({&made, 1}, progress);
}

Result<ContextWritten> writeAll(const ContextInput& input, const ContextOptions& options, Progress& progress) {
  CUTAWAY_CHECK(contextStep(progress, "looking at groups"));
  CUTAWAY_TRY(const fs::path target, targetOf(input, options));
  CUTAWAY_TRY(const std::vector<KeptGroup> groups, keptGroups(input.captured, input.compiled, input.providers));
  if (groups.empty()) return writePlain(input, options, target, progress);
  PendingExport made{.target = target,
                     .options = options,
                     .model = Model(),
                     .nodes = {},
                     .partitions = {},
                     .figures = figuresOf(*input.captured.fused, groups.size())};
  CUTAWAY_TRY(made.partitions, exportGroups(groups, input.captured.fused, progress));
  made.model =
      contextModelOf(input.captured, groups,
                     sourceNameFor(input.source, target.empty() ? options.binaryFolder : target.parent_path()));
  for (const KeptGroup& each : groups)
    made.nodes.push_back(each.place);
  for (const KeptGroup& each : groups) {
    if (each.support.kind != ContextKind::kDescribed) continue;
    made.figures.warnings.push_back(
        each.support.reason.empty()
            ? fmt::format(
                  "{} describes hardware that is not here: its context nodes hold descriptions, no compiled code",
                  each.provider->name())
            : each.support.reason);
    break;
  }
  if (options.stopShare) return writeSharedExports(options.shareGroup, std::move(made), progress);
  if (options.share) return addSharedExport(std::move(made));
  return writeExports({&made, 1}, progress);
}

}  // namespace

Result<ContextWritten> writeContextModel(const ContextInput& input, const ContextOptions& options, Progress& progress) {
  const Stopwatch watch;
  Result<ContextWritten> written = writeAll(input, options, progress);
  if (written) written->timeNs = watch.elapsedNs();
  return written;
}

}  // namespace cutaway::context
