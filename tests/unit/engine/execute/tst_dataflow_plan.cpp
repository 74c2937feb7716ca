// The edges of dataflow plans against an independent check: for every pair of values whose bytes overlap, all users of
// the one come before the writer of the other, whichever way the plan has it.
//
// The check knows nothing of the sweep: it takes the closure of the plan's edges, every value's bytes from the pattern,
// and looks at all pairs.

#include <numeric>

#include <QTemporaryDir>
#include <QTest>

#include "engine/execute/dataflow/dataflow_plan.h"
#include "engine/graph/text.h"
#include "engine/session/walk/walk.h"
#include "engine/stages/load/save.h"
#include "tests/unit/engine/session/branching_text.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

struct Walked {
  QTemporaryDir folder;
  load::ModelSource source;
  session::SessionOptions options;
  ProviderTable table = cpuTable();
  Progress progress;
  session::WalkListener listener;
  std::unique_ptr<session::Walk> walk;

  Result<void> run(const std::string& text, int workers) {
    CUTAWAY_TRY(const Model model, parseModelText(text));
    const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "model.onnx";
    CUTAWAY_CHECK(load::save(model, path, {}));
    source = load::ModelSource::file(path);
    options.optimizationLevel = 0;
    options.threads = workers;
    options.interThreads = workers;
    options.executor = workers > 1 ? "dataflow" : "sequential";
    walk = std::make_unique<session::Walk>(source, options, table, progress, listener);
    return walk->run();
  }
  const execute::GraphProgram& program() const { return *walk->program->graphs[0]; }
};

// before[a][b]: step a has ended when step b starts.
using Closure = std::vector<std::vector<bool>>;
Closure closureOf(const execute::DataflowPlan& plan) {
  Closure before(plan.nodes, std::vector<bool>(plan.nodes, false));
  std::vector<uint32_t> missing = plan.missing;
  std::vector<uint32_t> order;
  for (uint32_t node = 0; node < plan.nodes; ++node)
    if (missing[node] == 0) order.push_back(node);
  for (size_t i = 0; i < order.size(); ++i) {
    for (uint32_t next : plan.successors.row(order[i])) {
      before[order[i]][next] = true;
      for (size_t node = 0; node < plan.nodes; ++node)
        if (before[node][order[i]]) before[node][next] = true;
      if (--missing[next] == 0) order.push_back(next);
    }
  }
  if (order.size() != plan.nodes) before.clear();  // a circle
  return before;
}

struct Bytes {
  int64_t space = -1;
  int64_t begin = 0, end = 0;
  bool overlaps(const Bytes& other) const {
    return space >= 0 && space == other.space && begin < other.end && other.begin < end;
  }
};

class Judge {
 public:
  Judge(const execute::GraphProgram& program, const pattern::MemoryPatternGroup* pattern)
      : m_program(program),
        m_pattern(pattern),
        m_producer(program.values.size(), -1),
        m_readers(program.values.size()) {
    for (size_t step = 0; step < program.steps.size(); ++step) {
      const auto read = [&](size_t value) { m_readers[value].push_back(static_cast<int>(step)); };
      for (int32_t input : program.steps[step].inputs)
        if (input != execute::kAbsent) read(static_cast<size_t>(input));
      for (const execute::BodyProgram& body : program.steps[step].bodies)
        for (const execute::CapturedValue& captured : body.captured)
          read(captured.inParent);
      for (int32_t output : program.steps[step].outputs)
        if (output != execute::kAbsent) m_producer[static_cast<size_t>(output)] = static_cast<int>(step);
    }
  }

  std::string judge(const Closure& before) const {
    for (size_t value = 0; value < m_producer.size(); ++value)
      for (int reader : m_readers[value])
        if (m_producer[value] >= 0 && !before[static_cast<size_t>(m_producer[value])][static_cast<size_t>(reader)])
          return "a reader does not wait for its value";
    for (size_t a = 0; a < m_producer.size(); ++a)
      for (size_t b = 0; b < m_producer.size(); ++b)
        if (a != b && m_producer[a] >= 0 && m_producer[b] >= 0 && moves(b) && bytesOf(a).overlaps(bytesOf(b)) &&
            !holds(a, b)) {
          if (!apart(before, a, b)) return fmt::format("'{}' may be written while '{}' is in use", name(b), name(a));
        }
    return {};
  }

 private:
  const std::string& name(size_t value) const { return m_program.graph->value(ValueId{value}).name; }
  // Whether making the value writes bytes; views are bytes that are there already.
  bool moves(size_t value) const { return !m_program.values[value].isView && !m_program.values[value].isSplitPart; }
  // Where a value's bytes come from: through views.
  size_t source(size_t value) const {
    while (!moves(value))
      value = m_program.values[value].reused;
    return value;
  }
  // The same bytes rightly: b is a's source, or a is a part of b in place.
  bool holds(size_t a, size_t b) const {
    for (size_t at = source(a);; at = source(m_program.values[at].reused)) {
      if (at == source(b)) return true;
      if (!m_program.values[at].isPart) return false;
    }
  }
  Bytes bytesOf(size_t value) const {
    for (;;) {
      const execute::ValueProgram& each = m_program.values[value];
      if (m_pattern != nullptr && m_pattern->blocks[value].offset >= 0) {
        const pattern::MemoryBlock& block = m_pattern->blocks[value];
        return {m_pattern->patternOfValue[each.root], block.offset,
                block.offset + std::max<int64_t>(1, block.sizeBytes)};
      }
      if (each.isPart) return {};
      if (each.reused == value) return {1000 + static_cast<int64_t>(value), 0, 1};
      value = each.reused;
    }
  }
  // All users of a before the writer of b, or the writer of b before the writer of a's bytes. A step may write over
  // what it reads itself.
  bool apart(const Closure& before, size_t a, size_t b) const {
    const auto writer = static_cast<size_t>(m_producer[b]);
    const auto maker = static_cast<size_t>(m_producer[source(a)] >= 0 ? m_producer[source(a)] : m_producer[a]);
    if (before[writer][maker] || writer == maker) return true;
    if (!before[maker][writer]) return false;
    return std::all_of(m_readers[a].begin(), m_readers[a].end(), [&](int reader) {
      return static_cast<size_t>(reader) == writer || before[static_cast<size_t>(reader)][writer];
    });
  }

  const execute::GraphProgram& m_program;
  const pattern::MemoryPatternGroup* m_pattern;
  std::vector<int> m_producer;
  std::vector<std::vector<int>> m_readers;
};

}  // namespace

class TestDataflowPlan : public QObject {
  Q_OBJECT
 private slots:
  void noBytesAreWrittenWhileInUse_data() {
    QTest::addColumn<int>("seed");
    QTest::addColumn<int>("workers");
    QTest::addColumn<bool>("open");
    for (int seed = 0; seed < 40; ++seed)
      QTest::addRow("seed %d", seed) << seed << 2 + seed % 3 << (seed % 5 == 4);
  }
  void noBytesAreWrittenWhileInUse() {
    QFETCH(int, seed);
    QFETCH(int, workers);
    QFETCH(bool, open);
    Walked walked;
    const auto done =
        walked.run(branchingText(static_cast<uint32_t>(seed), {.nodes = 15 + 3 * seed, .openBatch = open}), workers);
    QVERIFY2(done.has_value(), why(done).c_str());
    const execute::GraphProgram& program = walked.program();
    for (const pattern::MemoryPatternGroup* pattern :
         {program.staticPattern.get(), static_cast<const pattern::MemoryPatternGroup*>(nullptr)}) {
      const auto plan =
          execute::planDataflow(program, pattern, execute::guessedCostsNs(*program.graph, *program.order));
      QVERIFY2(plan.has_value(), why(plan).c_str());
      const Closure before = closureOf(*plan);
      QVERIFY2(!before.empty(), "the edges form a circle");
      const std::string complaint = Judge(program, pattern).judge(before);
      QVERIFY2(complaint.empty(), complaint.c_str());
    }
  }

  // n has no bytes, wherever the pattern puts it, and is read last.
  void emptyValuesShareNoBytes() {
    Walked walked;
    const auto done = walked.run(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[4,6] x) => (float[4,6] y) <int64[2] sizes = {6, 0}> {
  [s] a, n = Split <axis = 1> (x, sizes)
  [b] b = Sigmoid (a)
  [c] c = Transpose (b)
  [d] d = Transpose (c)
  [y] y = Concat <axis = 1> (d, n)
})",
                                 2);
    QVERIFY2(done.has_value(), why(done).c_str());
    const auto plan = execute::planDataflow(walked.program(), walked.program().staticPattern.get(), {});
    QVERIFY2(plan.has_value(), why(plan).c_str());
  }

  // The check must be able to fail: each memory edge that is needed, left out, is noticed.
  void leavingMemoryEdgesOutIsNoticed() {
    int noticed = 0;
    for (int seed = 0; seed < 10; ++seed) {
      Walked walked;
      const auto done = walked.run(branchingText(static_cast<uint32_t>(seed), {.nodes = 40, .bodies = false}), 1);
      QVERIFY2(done.has_value(), why(done).c_str());
      execute::GraphProgram& program = const_cast<execute::GraphProgram&>(walked.program());
      // Without a pattern and with every value its own root there are data edges only.
      const auto pattern = program.staticPattern;
      const std::vector<execute::ValueProgram> values = program.values;
      for (uint32_t value = 0; value < program.values.size(); ++value)
        program.values[value] = execute::ValueProgram{.root = value, .reused = value};
      const auto plan = execute::planDataflow(program, nullptr, {});
      QVERIFY2(plan.has_value(), why(plan).c_str());
      QCOMPARE(plan->memoryEdges, size_t{0});
      program.values = values;
      if (!Judge(program, pattern.get()).judge(closureOf(*plan)).empty()) ++noticed;
    }
    QVERIFY(noticed >= 8);
  }

  void urgencyFollowsTheLongestChain() {
    Walked walked;
    const auto done = walked.run(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[4] x) => (float[4] y) {
  [short] s = Relu (x)
  [long1] a = Tanh (x)
  [long2] b = Tanh (a)
  [end] y = Add (s, b)
})",
                                 1);
    QVERIFY2(done.has_value(), why(done).c_str());
    const auto plan = execute::planDataflow(walked.program(), nullptr, {});
    QVERIFY2(plan.has_value(), why(plan).c_str());
    QCOMPARE(plan->first.size(), size_t{2});
    const execute::GraphProgram& program = walked.program();
    QCOMPARE(program.graph->node(program.steps[plan->first[0]].node).name, std::string("long1"));
    QCOMPARE(plan->totalCost, int64_t{4});
    QCOMPARE(plan->criticalCost, int64_t{3});
  }

  void muchReadValuesWaitBehindOneJoin() {
    // One value read by many, and then its buffer taken again by a chain of others.
    std::string text =
        "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[64] x) => (float[64] y) {\n  a = Relu (x)\n";
    for (int i = 0; i < 20; ++i)
      text += fmt::format("  b{0} = Tanh (a)\n", i);
    std::string sum = "b0";
    for (int i = 1; i < 20; ++i) {
      text += fmt::format("  c{} = Add ({}, b{})\n", i, sum, i);
      sum = fmt::format("c{}", i);
    }
    text += fmt::format("  d = Neg ({0})\n  e = Add (d, {0})\n  f = Add (e, d)\n  y = Abs (f)\n}}", sum);
    Walked walked;
    const auto done = walked.run(text, 2);
    QVERIFY2(done.has_value(), why(done).c_str());
    const execute::GraphProgram& program = walked.program();
    const auto plan = execute::planDataflow(program, program.staticPattern.get(), {});
    QVERIFY2(plan.has_value(), why(plan).c_str());
    QVERIFY(plan->successors.targets.size() <= 6 * program.steps.size());
    const std::string complaint = Judge(program, program.staticPattern.get()).judge(closureOf(*plan));
    QVERIFY2(complaint.empty(), complaint.c_str());
  }
};

QTEST_GUILESS_MAIN(TestDataflowPlan)
#include "tst_dataflow_plan.moc"
