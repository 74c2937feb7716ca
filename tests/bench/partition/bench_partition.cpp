// How long partitioning takes: three providers, one of which builds groups, on a model from a file; with compiling and
// without (what-if).
//
//   bench_partition MODEL [Google Benchmark's options]
// Copying the optimised model, which every round needs, is not counted.

#include <cstdio>
#include <memory>

#include <benchmark/benchmark.h>

#include "engine/provider/group_builder.h"
#include "engine/stages/load/load.h"
#include "engine/stages/optimize/optimize.h"
#include "engine/stages/partition/partition.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/cpu/provider.h"
#include "providers/skeleton/provider.h"
#include "tests/provider/test_provider.h"

namespace {

using namespace cutaway;
using Providers = std::vector<std::unique_ptr<ExecutionProvider>>;

// Takes everything but convolutions and products, in maximal groups.
Result<CapabilityAnswer> groupsOfSmallOperators(const CapabilityRequest& request) {
  GroupingOptions options;
  options.supported.assign(request.graph.nodeSlots(), 0);
  for (const NodeId id : request.free) {
    const std::string& op = request.graph.node(id).opType;
    options.supported[id.index()] = op != "Conv" && op != "MatMul" && op != "Gemm";
  }
  options.minimumNodes = 2;
  Groups groups = buildGroups(request, options);
  return CapabilityAnswer{std::move(groups.claims), std::move(groups.refusals)};
}

Providers makeProviders() {
  Providers providers;
  providers.push_back(*skeletonProvider().create({}));
  providers.push_back(makeTestProvider({}));
  providers.push_back(*cpuProvider().create({}));
  TestProviderPlan plan;
  plan.name = "groups";
  plan.answer = groupsOfSmallOperators;
  plan.innerKernels = providers.back()->kernels();
  providers[1] = makeTestProvider(std::move(plan));
  return providers;
}

Result<Model> optimizedModel(const char* path) {
  Progress progress;
  CUTAWAY_TRY(load::LoadResult loaded, load::load(load::ModelSource::file(path), {}, progress));
  CUTAWAY_TRY(const ResolveReport resolved, resolve::resolve(loaded.model, {}, progress));
  const Providers providers = makeProviders();
  CUTAWAY_TRY(const OptimizeReport optimized,
              optimize::optimize(loaded.model, {.level = 3, .kernels = providers.back()->kernels()}, progress));
  return std::move(loaded.model);
}

void measure(benchmark::State& state, const Model& model, bool compile) {
  const Providers providers = makeProviders();
  int64_t groups = 0;
  for (auto round : state) {
    state.PauseTiming();
    auto copy = std::make_unique<Model>(model);
    auto result = std::make_unique<Result<partition::Partition>>(fail(ErrorCode::kFail, "not run"));
    state.ResumeTiming();
    Progress progress;
    *result = partition::partitionModel(*copy, providers, {.compile = compile}, progress);
    state.PauseTiming();
    if (!*result) state.SkipWithError(describe(result->error()).c_str());
    if (*result) groups = (*result)->report.providers[1].groups;
    result.reset();
    copy.reset();
    state.ResumeTiming();
  }
  state.counters["nodes"] = static_cast<double>(model.graph.nodeCount());
  state.counters["groups"] = static_cast<double>(groups);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench_partition MODEL [--benchmark_...]\n");
    return 2;
  }
  const Result<Model> model = optimizedModel(argv[1]);
  if (!model) {
    std::fprintf(stderr, "%s\n", describe(model.error()).c_str());
    return 3;
  }
  benchmark::RegisterBenchmark("partition", [&](benchmark::State& state) { measure(state, *model, true); })
      ->Unit(benchmark::kMillisecond)
      ->MeasureProcessCPUTime();
  benchmark::RegisterBenchmark("partition without compiling",
                               [&](benchmark::State& state) { measure(state, *model, false); })
      ->Unit(benchmark::kMillisecond)
      ->MeasureProcessCPUTime();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
