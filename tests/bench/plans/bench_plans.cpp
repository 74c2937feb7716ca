// How long the three planning stages take, on graphs of 1,000 to 100,000 nodes: flat, deep, wide, and like a
// transformer.
//
//   bench_plans [MOST_NODES [SHAPE [ORDER [WORKERS]]]]      SHAPE: all, flat, deep, wide, transformer, fan, joins;
//   ORDER: default, fifo, priority, memory
// One line a graph: nodes, milliseconds of schedule, allocate and pattern (the best of three), microseconds per node,
// peak over lower bound. Kernel rows of the cpu provider tell what may be written in place.

#include <cstdlib>
#include <span>
#include <string_view>

#include <spdlog/fmt/fmt.h>

#include "engine/plan/plan_walk.h"
#include "providers/cpu/provider.h"

namespace {

using namespace cutaway;

ValueType floats(int64_t rows, int64_t columns) {
  return ValueType::tensor(ElementType::kFloat, Shape{Dim(rows), Dim(columns)});
}

class Maker {
 public:
  explicit Maker(int64_t rows = 16) : m_graph("bench"), m_rows(rows) {
    m_feed = m_graph.addInput("feed", floats(rows, 64));
  }

  ValueId node(const char* opType, std::initializer_list<ValueId> inputs, int64_t columns) {
    return node(opType, std::span<const ValueId>(inputs.begin(), inputs.size()), columns);
  }
  ValueId node(const char* opType, std::span<const ValueId> inputs, int64_t columns) {
    Node made;
    made.name = fmt::format("n{}", m_count);
    made.opType = opType;
    made.provider = "cpu";
    made.sinceVersion = 13;
    const std::string output = fmt::format("v{}", m_count++);
    const NodeId id = m_graph.addNode(std::move(made), inputs, std::span(&output, 1));
    const ValueId value = m_graph.node(id).outputs[0];
    m_graph.mutableValue(value).type = floats(m_rows, columns);
    return value;
  }
  ValueId feed() const { return m_feed; }
  ValueId weight(int64_t rows, int64_t columns) {
    const std::string name = fmt::format("w{}x{}", rows, columns);
    if (const ValueId known = m_graph.findValue(name); known.valid()) return known;
    return m_graph.addInitializer(name, *Tensor::create(ElementType::kFloat, {rows, columns}));
  }
  int count() const { return m_count; }
  Graph finish(ValueId output) {
    m_graph.addOutput(output);
    return std::move(m_graph);
  }

 private:
  Graph m_graph;
  ValueId m_feed;
  int64_t m_rows;
  int m_count = 0;
};

// Cheap nodes with a skip every ten, and sizes that change.
Graph flatGraph(int nodes) {
  Maker maker;
  ValueId value = maker.feed(), skip = value;
  while (maker.count() < nodes) {
    const int64_t columns = 64 << (maker.count() / 10 % 3);
    value = maker.node("MatMul", {value, maker.weight(64, 64)}, columns);
    for (int i = 0; i < 7; ++i)
      value = maker.node(i % 2 == 0 ? "Relu" : "Sigmoid", {value}, columns);
    const ValueId side = maker.node("MatMul", {skip, maker.weight(64, 64)}, columns);
    skip = value = maker.node("Add", {value, side}, columns);
  }
  return maker.finish(value);
}

// Products one after the other: nothing in place, two buffers at a time.
Graph deepGraph(int nodes) {
  Maker maker;
  ValueId value = maker.feed();
  while (maker.count() < nodes)
    value = maker.node("MatMul", {value, maker.weight(64, 64)}, 32 + 32 * (maker.count() % 5));
  return maker.finish(value);
}

// Fans of two hundred branches of different sizes, each fan added up.
Graph wideGraph(int nodes) {
  Maker maker;
  ValueId value = maker.feed();
  while (maker.count() < nodes) {
    std::vector<ValueId> branches;
    for (int i = 0; i < 200; ++i) {
      const int64_t columns = 16 + 16 * (i % 13);
      branches.push_back(maker.node(
          "MatMul", {maker.node("MatMul", {value, maker.weight(64, 64)}, columns), maker.weight(64, 64)}, 64));
    }
    value = branches[0];
    for (size_t i = 1; i < branches.size(); ++i)
      value = maker.node("Add", {value, branches[i]}, 64);
  }
  return maker.finish(value);
}

// One value that half of all nodes read, and a chain over what they make.
Graph fanGraph(int nodes) {
  Maker maker;
  const ValueId source = maker.node("Relu", {maker.feed()}, 64);
  std::vector<ValueId> branches;
  while (maker.count() < nodes / 2)
    branches.push_back(maker.node("MatMul", {source, maker.weight(64, 64)}, 16 + 16 * (maker.count() % 13)));
  ValueId value = branches[0];
  for (size_t i = 1; i < branches.size(); ++i)
    value = maker.node("MatMul", {value, branches[i]}, 64);
  return maker.finish(value);
}

// Densely connected: each layer reads the join of the eight before it, as in DenseNet. One row, so that the joined
// parts lie behind one another.
Graph joinsGraph(int nodes) {
  Maker maker(1);
  std::vector<ValueId> layers = {maker.node("Relu", {maker.feed()}, 64)};
  while (maker.count() < nodes) {
    const size_t first = layers.size() > 8 ? layers.size() - 8 : 0;
    const std::span<const ValueId> joined(layers.data() + first, layers.size() - first);
    const ValueId join = maker.node("Concat", joined, 64 * static_cast<int64_t>(joined.size()));
    layers.push_back(maker.node("Relu", {maker.node("MatMul", {join, maker.weight(64, 64)}, 64)}, 64));
  }
  return maker.finish(layers.back());
}

// Attention and feed-forward with residuals, unfused.
Graph transformerGraph(int nodes) {
  Maker maker;
  ValueId value = maker.feed();
  const auto norm = [&](ValueId x) {
    const ValueId centred = maker.node("Sub", {x, maker.node("ReduceMean", {x}, 1)}, 64);
    const ValueId deviation =
        maker.node("Sqrt", {maker.node("ReduceMean", {maker.node("Mul", {centred, centred}, 64)}, 1)}, 1);
    return maker.node("Mul", {maker.node("Div", {centred, deviation}, 64), maker.weight(1, 64)}, 64);
  };
  const auto product = [&](ValueId x, int64_t columns) {
    return maker.node("Add", {maker.node("MatMul", {x, maker.weight(64, columns)}, columns), maker.weight(1, columns)},
                      columns);
  };
  while (maker.count() < nodes) {
    const ValueId normed = norm(value), query = product(normed, 64),
                  key = maker.node("Transpose", {product(normed, 64)}, 64), content = product(normed, 64);
    const ValueId weights = maker.node(
        "Softmax", {maker.node("Div", {maker.node("MatMul", {query, key}, 256), maker.weight(1, 1)}, 256)}, 256);
    value = maker.node("Add", {value, product(maker.node("MatMul", {weights, content}, 64), 64)}, 64);
    const ValueId wide = product(norm(value), 256);
    const ValueId gelu =
        maker.node("Mul", {wide, maker.node("Erf", {maker.node("Div", {wide, maker.weight(1, 1)}, 256)}, 256)}, 256);
    value = maker.node("Add", {value, product(gelu, 64)}, 64);
  }
  return maker.finish(value);
}

struct Times {
  int64_t scheduleNs = INT64_MAX, allocateNs = INT64_MAX, patternNs = INT64_MAX;
  double ratio = 1;
};

Result<Times> timesOf(const Model& model, const std::vector<std::unique_ptr<ExecutionProvider>>& providers,
                      const plan::PlanOptions& options) {
  Times best;
  for (int round = 0; round < 3; ++round) {
    plan::PlanWalk plans(model);
    Progress progress;
    const std::map<std::string, CompiledNode> compiled;
    CUTAWAY_TRY(const ScheduleReport schedule, plans.schedule(options, providers, compiled, progress));
    CUTAWAY_TRY(const AllocateReport allocate, plans.allocate(options, progress));
    CUTAWAY_TRY(const PatternReport pattern, plans.pattern(options, progress));
    best.scheduleNs = std::min(best.scheduleNs, schedule.timeNs);
    best.allocateNs = std::min(best.allocateNs, allocate.timeNs);
    best.patternNs = std::min(best.patternNs, pattern.timeNs);
    if (pattern.lowerBoundBytes > 0)
      best.ratio = static_cast<double>(pattern.peakBytes) / static_cast<double>(pattern.lowerBoundBytes);
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const int most = argc > 1 ? std::atoi(argv[1]) : 100'000;
  const std::string_view only = argc > 2 ? argv[2] : "all";
  plan::PlanOptions options;
  if (argc > 3) options.order = argv[3];
  if (argc > 4) options.workers = std::atoi(argv[4]);
  std::vector<std::unique_ptr<ExecutionProvider>> providers;
  providers.push_back(*cpuProvider().create({}));
  const std::pair<const char*, Graph (*)(int)> kShapes[] = {{"flat", flatGraph}, {"deep", deepGraph},
                                                            {"wide", wideGraph}, {"transformer", transformerGraph},
                                                            {"fan", fanGraph},   {"joins", joinsGraph}};
  fmt::print(
      "| graph | nodes | schedule ms | allocate ms | pattern ms | all ms | us per node | peak / bound "
      "|\n|---|---|---|---|---|---|---|---|\n");
  for (const auto& [name, make] : kShapes) {
    if (only != "all" && only != name) continue;
    for (const int nodes : {1'000, 5'000, 10'000, 50'000, 100'000}) {
      if (nodes > most) continue;
      Model model;
      model.graph = make(nodes);
      const Result<Times> times = timesOf(model, providers, options);
      if (!times) {
        fmt::print(stderr, "{}\n", describe(times.error()));
        return 3;
      }
      const double all = static_cast<double>(times->scheduleNs + times->allocateNs + times->patternNs);
      fmt::print("| {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.2f} | {:.3f} |\n", name, model.graph.nodeCount(),
                 static_cast<double>(times->scheduleNs) / 1e6, static_cast<double>(times->allocateNs) / 1e6,
                 static_cast<double>(times->patternNs) / 1e6, all / 1e6,
                 all / 1e3 / static_cast<double>(model.graph.nodeCount()), times->ratio);
      std::fflush(stdout);
    }
  }
  return 0;
}
