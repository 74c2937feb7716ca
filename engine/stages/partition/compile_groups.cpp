#include "engine/stages/partition/compile_groups.h"

#include <optional>

#include "engine/base/clock.h"
#include "engine/base/log.h"
#include "engine/base/span_log.h"
#include "engine/graph/node_label.h"
#include "engine/stages/partition/body_groups.h"
#include "engine/stages/partition/claim_checks.h"

namespace cutaway::partition {

namespace {

// Stands for a group that was formed to be looked at.
class NotCompiled final : public Kernel {
 public:
  explicit NotCompiled(std::string fusedName) : m_fusedName(std::move(fusedName)) {}
  Result<void> run(KernelContext& /*context*/) const override {
    return fail(ErrorCode::kFail,
                "group {} was formed without compiling it, for what-if; open the model with these providers to run it",
                m_fusedName);
  }
  std::string_view variant() const override { return "not compiled"; }

 private:
  std::string m_fusedName;
};

using Compiled = Result<std::vector<CompiledNode>>;

// What compile() gets and gives, owned together: a provider that hangs in it may look at it long after everybody else
// has gone.
struct CompileJob {
  std::shared_ptr<const Model> model;
  Progress progress;
  std::vector<FusedSubGraph> groups;
  std::vector<Compiled> results;

  void run(ExecutionProvider& provider) {
    for (const FusedSubGraph& group : groups) {
      if (progress.cancelled()) return;
      results.push_back(
          ProviderCalls::guarded<std::vector<CompiledNode>>([&] { return provider.compile({&group, 1}, progress); }));
    }
  }
};

ProviderAnswer compileFailure(const AssignmentContext& context, const std::string& message) {
  return {context.summary.name,
          Verdict::kCompileFailed,
          RefusalCause::kCompile,
          fmt::format("claimed, then failed to compile: {}", message),
          "compile()",
          message,
          {}};
}

void giveBackFailed(GraphAssignment& assignment, const AcceptedGroup& group, const AssignmentContext& context,
                    const std::string& message) {
  log::warn(log::Category::kProviders, "provider {}: group {} failed to compile and goes to the next provider: {}",
            context.summary.name, group.fusedName, message);
  context.warnings.push_back(fmt::format(
      "provider {}: group {} of {} {} failed to compile and went to the next provider: {}", context.summary.name,
      group.fusedName, group.nodes.size(), group.nodes.size() == 1 ? "node" : "nodes", message));
  giveBack(assignment, group, compileFailure(context, message));
}

void keep(GraphAssignment& assignment, AcceptedGroup group, CompiledNode compiled, const AssignmentContext& context) {
  group.compiled = std::move(compiled);
  takeBodies(assignment, group, context.assignments, context.summary.name);
  assignment.groups.push_back(std::move(group));
}

// Empty: one kernel for one group, as it should be.
std::string objectionTo(const Compiled& compiled) {
  if (!compiled) return compiled.error().message;
  if (compiled->size() != 1) return fmt::format("compile() gave {} kernels for one group", compiled->size());
  if (compiled->front().kernel == nullptr) return "compile() gave no kernel";
  return {};
}

// The groups that could be cut out, with their places in `groups`.
std::shared_ptr<CompileJob> makeJob(GraphAssignment& assignment, std::vector<AcceptedGroup>& groups,
                                    const AssignmentContext& context, std::vector<size_t>& places) {
  auto job = std::make_shared<CompileJob>();
  job->model = context.model;
  job->progress = Progress(context.progress.token());
  for (size_t i = 0; i < groups.size(); ++i) {
    Result<Graph> inner =
        extractGroup(*assignment.graph, groups[i].nodes, {groups[i].metaDef.inputs, groups[i].metaDef.outputs});
    if (!inner) {
      giveBackFailed(assignment, groups[i], context, inner.error().message);
      continue;
    }
    job->groups.push_back({groups[i].fusedName, *job->model, *std::move(inner)});
    places.push_back(i);
  }
  return job;
}

Result<void> checkPolicy(const GraphAssignment& assignment, const std::vector<AcceptedGroup>& groups,
                         const AssignmentContext& context) {
  if (!context.options.disableCompile) return {};
  for (const AcceptedGroup& group : groups) {
    const size_t count = group.nodes.size();
    return fail(Error{ErrorCode::kModelRequiresCompilation,
                      fmt::format("provider {} would have to compile {} {}, {} first, and "
                                  "session.disable_model_compile forbids that; generate a context model and open that",
                                  context.summary.name, count, count == 1 ? "node" : "nodes",
                                  nodeLabel(*assignment.graph, group.nodes.front())),
                      {},
                      true});
  }
  return {};
}

}  // namespace

Result<void> compileGroups(GraphAssignment& assignment, ExecutionProvider& provider, std::vector<AcceptedGroup> groups,
                           const AssignmentContext& context) {
  if (groups.empty()) return {};
  CUTAWAY_CHECK(checkPolicy(assignment, groups, context));
  if (!context.options.compile) {
    for (AcceptedGroup& group : groups) {
      if (context.options.captureGroups) {
        CUTAWAY_TRY(group.inner,
                    extractGroup(*assignment.graph, group.nodes, {group.metaDef.inputs, group.metaDef.outputs}));
      }
      CompiledNode placeholder{.kernel = std::make_shared<const NotCompiled>(group.fusedName), .inplace = {}};
      keep(assignment, std::move(group), std::move(placeholder), context);
    }
    return {};
  }
  const Stopwatch watch;
  const SpanScope span(fmt::format("compile {} {} with ", groups.size(), groups.size() == 1 ? "group" : "groups"),
                       context.summary.name);
  std::vector<size_t> places;
  const std::shared_ptr<CompileJob> job = makeJob(assignment, groups, context, places);
  const Result<void> called = context.calls.call<void>(provider, [job, &provider]() -> Result<void> {
    job->run(provider);
    return {};
  });
  if (context.progress.cancelled()) return fail(cancelledError());
  CUTAWAY_CHECK(called);
  for (size_t i = 0; i < places.size(); ++i) {
    const std::string objection = objectionTo(job->results[i]);
    if (objection.empty()) {
      if (context.options.captureGroups) groups[places[i]].inner = std::move(job->groups[i].graph);
      keep(assignment, std::move(groups[places[i]]), std::move(job->results[i]->front()), context);
    } else {
      giveBackFailed(assignment, groups[places[i]], context, objection);
    }
  }
  context.summary.compileTimeNs += watch.elapsedNs();
  return {};
}

}  // namespace cutaway::partition
