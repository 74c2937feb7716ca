// What the engine itself takes per node in a steady sequential run, on one thread.
//
//   bench_overhead [--nodes N] [--seconds S]     chains of N nodes (tiny tensors) whose kernels do nothing, fetch their
//   tensors, or are provider cpu's Relu bench_overhead --model FILE [--seconds S]    a model on provider cpu: time of a
//   run divided by its nodes
//
// Time of a chain of N nodes less that of one node, divided by N - 1: what a run costs once (feeds, outputs) does not
// count.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/clock.h"
#include "engine/graph/text.h"
#include "engine/session/session.h"
#include "engine/stages/load/save.h"
#include "providers/cpu/provider.h"
#include "tests/provider/test_provider.h"

using namespace cutaway;

namespace {

// Returns at once: all that is left is the engine.
class NothingKernel final : public Kernel {
 public:
  Result<void> run(KernelContext&) const override { return {}; }
};

// What every kernel must do, without the work: its input, and its output with the input's dims.
class FetchKernel final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    const Tensor* x = context.input(0);
    if (x == nullptr) return fail(ErrorCode::kEngineError, "no input");
    CUTAWAY_CHECK(context.output(0, x->dims()));
    return {};
  }
};

template <typename Made>
Result<std::unique_ptr<Kernel>> make(const KernelInfo&) {
  return std::make_unique<Made>();
}

template <typename Made>
const KernelRegistry* registry() {
  static constexpr KernelRow rows[] = {{.opType = "Relu", .create = make<Made>}};
  static const KernelRows tables[] = {KernelRows(rows)};
  static const KernelRegistry made(tables);
  return &made;
}

TestProviderPlan plan;
Result<std::unique_ptr<ExecutionProvider>> makePlanned(const ProviderRequest&) {
  return makeTestProvider(plan);
}

std::string chain(int nodes) {
  std::string text = "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[1,4] x) => (float[1,4] y) {\n";
  for (int i = 0; i < nodes; ++i)
    text += fmt::format("  [n{}] {} = Relu ({})\n", i, i + 1 == nodes ? "y" : fmt::format("v{}", i),
                        i == 0 ? "x" : fmt::format("v{}", i - 1));
  return text + "}";
}

[[noreturn]] void stop(const Error& error) {
  std::fprintf(stderr, "%s\n", describe(error).c_str());
  std::exit(1);
}

template <typename T>
T must(Result<T> result) {
  if (!result) stop(result.error());
  return *std::move(result);
}

// Fastest and median time of a run.
struct Times {
  double leastNs = 0, medianNs = 0;
};

Times timesOf(session::Session& session, double seconds) {
  const std::vector<execute::Feed> feeds = must(session::randomFeeds(session, 0, {}, {}));
  std::vector<double> times;
  for (int i = 0; i < 3; ++i)
    must(session.run(feeds, {}));
  for (const Stopwatch watch; static_cast<double>(watch.elapsedNs()) < seconds * 1e9 || times.size() < 5;)
    times.push_back(static_cast<double>(must(session.run(feeds, {})).timeNs));
  std::sort(times.begin(), times.end());
  return {times.front(), times[times.size() / 2]};
}

std::unique_ptr<session::Session> sessionOf(const std::filesystem::path& path, const ProviderTable& table, int level) {
  session::SessionOptions options;
  options.threads = 1;
  options.optimizationLevel = level;
  if (table.size() > 1) options.providers = {plan.name, "cpu"};
  Progress progress;
  return must(session::Session::create(load::ModelSource::file(path), options, table, progress));
}

Times chainTimes(int nodes, const KernelRegistry* kernels, double seconds) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("bench_overhead_{}.onnx", nodes);
  const Model model = must(parseModelText(chain(nodes)));
  if (auto done = load::save(model, path, {}); !done) stop(done.error());
  ProviderTable table;
  if (kernels != nullptr) {
    plan = {};
    plan.kernels = kernels;
    for (int i = 0; i < nodes; ++i)
      plan.singles.insert(fmt::format("n{}", i));
    table.push_back({.name = plan.name, .displayName = "Test", .description = "", .create = makePlanned});
  }
  table.push_back(cpuProvider());
  const Times times = timesOf(*sessionOf(path, table, 0), seconds);
  std::filesystem::remove(path);
  return times;
}

void printChain(const char* name, const KernelRegistry* kernels, int nodes, double seconds) {
  const Times one = chainTimes(1, kernels, seconds / 4), all = chainTimes(nodes, kernels, seconds);
  const double count = nodes > 1 ? nodes - 1 : 1;
  std::printf("%-28s %8d nodes  %8.1f ns per node (median), %8.1f (least)\n", name, nodes,
              (all.medianNs - one.medianNs) / count, (all.leastNs - one.leastNs) / count);
}

}  // namespace

int main(int count, char** arguments) {
  int nodes = 5000;
  double seconds = 1;
  std::string model;
  for (int i = 1; i + 1 < count; i += 2) {
    if (std::strcmp(arguments[i], "--nodes") == 0) nodes = std::atoi(arguments[i + 1]);
    if (std::strcmp(arguments[i], "--seconds") == 0) seconds = std::atof(arguments[i + 1]);
    if (std::strcmp(arguments[i], "--model") == 0) model = arguments[i + 1];
  }
  if (!model.empty()) {
    const auto session = sessionOf(model, {cpuProvider()}, 3);
    const Times times = timesOf(*session, seconds);
    const double steps = static_cast<double>(session->model().graph.nodeCount());
    std::printf("%-28s %8.0f nodes  %8.1f ns per node (median), %8.1f (least)\n", "cutaway", steps,
                times.medianNs / steps, times.leastNs / steps);
    return 0;
  }
  printChain("kernel does nothing", registry<NothingKernel>(), nodes, seconds);
  printChain("kernel fetches its tensors", registry<FetchKernel>(), nodes, seconds);
  printChain("cpu Relu, 4 floats", nullptr, nodes, seconds);
  return 0;
}
