// Mutation test of the checker: each row takes a plan that it accepts, breaks one rule in it, and wants that rule
// reported and no other. A rule that no row breaks fails the test.

#include <functional>

#include <QTest>

#include "engine/graph/text.h"
#include "tests/checker/plain_plan.h"
#include "tests/checker/test_graphs.h"

using namespace cutaway;

namespace {

// X -> A=Relu -> B=MatMul -> C=Relu(B) -> D=Add(C,B) -> Y=Relu(D), in memory of its own each.
PlainPlan worked() {
  Graph graph = workedExample();
  MemoryHints hints = [](NodeId) {
    return NodeMemoryHints{.inplace = {{0, 0, AliasKind::kMayInplace}}, .hostInputs = {}, .hostOutputs = {}};
  };
  return PlainPlan(std::move(graph), std::move(hints));
}

Graph parsed(const char* text) {
  return parseModelText(std::string("<ir_version: 8, opset_import: [\"\" : 17]>\n") + text)->graph;
}

MemoryHints hintsByOperator(const Graph& graph) {
  std::vector<std::string> ops;
  for (size_t i = 0; i < graph.nodeSlots(); ++i)
    ops.push_back(graph.node(NodeId{i}).opType);
  return [ops](NodeId id) {
    NodeMemoryHints hints;
    const std::string& op = ops[id.index()];
    if (op == "Relu" || op == "Add") hints.inplace.push_back({0, 0, AliasKind::kMayInplace});
    if (op == "Reshape" || op == "Identity") hints.inplace.push_back({0, 0, AliasKind::kAlias});
    if (op == "Concat") hints.inplace.push_back({InplaceHint::kEveryInput, 0, AliasKind::kJoin});
    if (op == "Split") hints.inplace.push_back({0, InplaceHint::kEveryOutput, AliasKind::kSplit});
    if (op == "Erf") hints.externalOutputs = true;
    return hints;
  };
}

// a and b are made inside j, c and d are views of j, e goes straight into the memory of the output y.
PlainPlan parts() {
  Graph graph = parsed(
      R"(main (float[1,4,8] x, int64[2] two) => (float[4,16] y, float[4,8] z) <float[1,4,8] a, float[1,4,8] b, float[1,8,8] j, float[1,6,8] c, float[1,2,8] d, float[1,4,16] e, float[4,16] y> {
    [make_a] a = Relu (x)
    [make_b] b = Sigmoid (x)
    [read_a] e0 = MatMul (a, b)
    [early] m = Sigmoid (x)
    [join] j = Concat <axis = 1> (a, b)
    [split] c, d = Split <axis = -2> (j, two)
    [late] n = Sigmoid (x)
    [make_e] e = MatMul (c, e0)
    [view] y = Reshape (e, two)
    [end] z = MatMul (d, b)
  })");
  const auto type = [&](const char* name, std::initializer_list<int64_t> dims) {
    graph.mutableValue(graph.findValue(name)).type = floatTensor(dims);
  };
  type("e0", {1, 4, 8}), type("a", {1, 4, 8}), type("b", {1, 4, 8}), type("j", {1, 8, 8}), type("c", {1, 6, 8}),
      type("d", {1, 2, 8}), type("e", {1, 4, 16}), type("m", {1, 8, 8}), type("n", {1, 8, 8});
  MemoryHints hints = hintsByOperator(graph);
  PlainPlan plan(std::move(graph), std::move(hints));
  plan.take("a", "j", AllocRule::kPart, 0);
  plan.take("b", "j", AllocRule::kPart, 1);
  plan.take("c", "j", AllocRule::kSplitPart, 0);
  plan.take("d", "j", AllocRule::kSplitPart, 1);
  plan.take("e", "y", AllocRule::kIntoOutput);
  return plan;
}

// Two branches, planned for two workers: p and q run at the same time, and so do r and s.
PlainPlan branches() {
  Graph graph = parsed(R"(main (float[4,8] x, float[8,8] w) => (float[4,8] y) {
    [p] vp = MatMul (x, w)
    [q] vq = MatMul (x, w)
    [r] vr = MatMul (vp, w)
    [s] vs = MatMul (vq, w)
    [t] vt = Relu (vs)
    [u] y = Add (vr, vt)
  })");
  for (const ValueId id : graph.valueIds()) {
    if (graph.value(id).producer.valid()) graph.mutableValue(id).type = floatTensor({4, 8});
  }
  MemoryHints hints = hintsByOperator(graph);
  PlainPlan plan(std::move(graph), std::move(hints));
  plan.workers = 2;
  plan.order.endOfStep = {1, 1, 4, 3, 4, 5};
  plan.order.workerOfStep = {0, 1, 0, 1, 1, 0};
  plan.settle();
  return plan;
}

// A node with bodies in the middle of a chain; strings, symbols and a kernel with memory of its own beside it.
PlainPlan bodies() {
  Graph graph =
      parsed(R"(main (bool[] c, float[4,8] x, string[4] t, float[n,m] o) => (float[4,8] y, string[4] u, float[m,n] k) {
    [a] va = Relu (x)
    [i] vi = If <then_branch = yes () => (float[4,8] r) { r = Relu (va) }, else_branch = no () => (float[4,8] r) { r = Sigmoid (va) }> (c)
    [b] y = Add (vi, va)
    [s1] vs = StringOne (t)
    [s2] u = StringTwo (vs)
    [e] ve = Erf (o)
    [k1] vk = Sigmoid (ve)
    [k2] k = Sigmoid (vk)
  })");
  const auto type = [&](const char* name, ValueType is) {
    graph.mutableValue(graph.findValue(name)).type = std::move(is);
  };
  for (const char* name : {"va", "vi", "y"})
    type(name, floatTensor({4, 8}));
  type("vs", ValueType::tensor(ElementType::kString, Shape{Dim(4)}));
  type("ve", ValueType::tensor(ElementType::kFloat, Shape{Dim("n"), Dim("m")}));
  type("vk", ValueType::tensor(ElementType::kFloat, Shape{Dim("m"), Dim("n")}));
  for (const NodeId id : graph.nodeIds())
    graph.bindCaptures(id);
  MemoryHints hints = hintsByOperator(graph);
  PlainPlan plan(std::move(graph), std::move(hints));
  plan.bodyNeeds = {{1, {Device{}, 512}}};
  plan.settle();
  return plan;
}

// Every value in a pair of buffers as onnxruntime would have it.
PlainPlan onnxruntimePlan() {
  Graph graph = parsed(R"(main (float[n,8] x, float[8,8] w) => (float[n,8] y) {
    [a] va = MatMul (x, w)
    [b] vb = MatMul (va, w)
    [c] vc = MatMul (vb, w)
    [d] vd = Relu (vc)
    [e] y = MatMul (vd, w)
  })");
  for (const ValueId id : graph.valueIds()) {
    if (graph.value(id).producer.valid())
      graph.mutableValue(id).type = ValueType::tensor(ElementType::kFloat, Shape{Dim("n"), Dim(8)});
  }
  MemoryHints hints = hintsByOperator(graph);
  PlainPlan plan(std::move(graph), std::move(hints));
  plan.rules = allocate::AllocRules::kOnnxruntime;
  plan.take("vc", "va", AllocRule::kFreeBuffer);
  plan.take("vd", "vc", AllocRule::kInPlace);
  return plan;
}

using Break = std::function<void(PlainPlan&)>;
struct Mutation {
  const char* name;
  const char* rule;
  PlainPlan (*good)();
  Break breakIt;
};

const Device kGpu{DeviceType::kGpu, 0, "gpu"};

std::vector<Mutation> orderMutations() {
  return {
      {"two dependent steps are swapped", "order", worked,
       [](PlainPlan& p) {
         std::swap(p.order.steps[1], p.order.steps[2]);
         std::swap(p.order.stepOfNode[1], p.order.stepOfNode[2]);
         p.settle();
       }},
      {"a node is left out", "order", worked,
       [](PlainPlan& p) {
         p.order.steps.pop_back();
         p.order.stepOfNode[4] = -1;
         p.allocation.releasedAfterStep.pop_back();
       }},
      {"a node runs twice", "order", worked,
       [](PlainPlan& p) {
         p.order.steps.push_back(p.order.steps[4]);
         p.order.stepOfNode[4] = 5;
         p.allocation.releasedAfterStep.emplace_back();
       }},
      {"steps and nodes disagree", "order", worked, [](PlainPlan& p) { p.order.stepOfNode[0] = 1; }},
      {"captured by a body before it is made", "order", bodies,
       [](PlainPlan& p) {
         std::swap(p.order.steps[0], p.order.steps[1]);
         std::swap(p.order.stepOfNode[0], p.order.stepOfNode[1]);
         p.bodyNeeds[0].first = 0;
         p.settle();
       }},
      {"starts while its producer may be running", "order", branches,
       [](PlainPlan& p) { p.workers = 3, p.order.workerOfStep[3] = 2, p.order.endOfStep[1] = 3, p.settle(); }},
      {"a worker too many", "workers", branches, [](PlainPlan& p) { p.order.workerOfStep[3] = 2; }},
      {"two steps at once on one worker", "workers", branches, [](PlainPlan& p) { p.order.workerOfStep[1] = 0; }},
      {"a step ends before it starts", "workers", branches, [](PlainPlan& p) { p.order.endOfStep[3] = 2; }},
      {"too few ends", "workers", branches, [](PlainPlan& p) { p.order.endOfStep.pop_back(); }},
      {"reuse between steps that run at once", "workers", branches,
       [](PlainPlan& p) { p.take("vt", "vp", AllocRule::kFreeBuffer); }},
  };
}

// What a value is, and in whose memory it lies.
std::vector<Mutation> bufferMutations() {
  return {
      {"produced and without a kind", "kind", worked, [](PlainPlan& p) { p.at("D").kind = AllocKind::kNotSet; }},
      {"a chain that ends nowhere", "kind", worked,
       [](PlainPlan& p) { p.at("C").kind = AllocKind::kReuse, p.at("C").reusedBuffer = p.graph.findValue("C"); }},
      {"a root that is not the end of the chain", "kind", worked,
       [](PlainPlan& p) { p.take("C", "A", AllocRule::kFreeBuffer), p.at("C").root = p.graph.findValue("D"); }},
      {"kind and rule disagree", "kind", worked, [](PlainPlan& p) { p.at("D").rule = AllocRule::kInPlace; }},
      {"an inner value counts as an output", "kind", worked,
       [](PlainPlan& p) {
         p.at("D").kind = AllocKind::kAllocateOutput, p.at("D").rule = AllocRule::kOutput, p.settle();
       }},
      {"memory of its own that the kernel does not bring", "kind", worked,
       [](PlainPlan& p) {
         p.at("D").kind = AllocKind::kAllocatedExternally, p.at("D").rule = AllocRule::kExternal, p.settle();
       }},
      {"memory of its own that the kernel brings, not taken", "kind", bodies,
       [](PlainPlan& p) {
         p.at("ve").kind = AllocKind::kAllocate, p.at("ve").rule = AllocRule::kNewBuffer, p.settle();
       }},
      {"a feed is allocated", "kind", worked,
       [](PlainPlan& p) { p.at("X").kind = AllocKind::kNotSet, p.at("X").rule = AllocRule::kNone; }},
      {"a live buffer is taken", "content", branches, [](PlainPlan& p) { p.take("vs", "vr", AllocRule::kFreeBuffer); }},
      {"written over an input without a hint", "in-place", worked,
       [](PlainPlan& p) { p.take("B", "A", AllocRule::kInPlace), p.hints = [](NodeId) { return NodeMemoryHints{}; }; }},
      {"in place though somebody else reads it later", "in-place", worked,
       [](PlainPlan& p) { p.take("C", "B", AllocRule::kInPlace); }},
      {"in place of the wrong input", "in-place", worked, [](PlainPlan& p) { p.take("D", "B", AllocRule::kInPlace); }},
      {"a view without a hint", "in-place", worked, [](PlainPlan& p) { p.take("D", "C", AllocRule::kView); }},
      {"an output in recycled memory", "outputs", worked, [](PlainPlan& p) { p.take("Y", "D", AllocRule::kInPlace); }},
      {"an output without memory", "outputs", worked,
       [](PlainPlan& p) { p.at("Y").kind = AllocKind::kAllocate, p.at("Y").rule = AllocRule::kNewBuffer, p.settle(); }},
      {"a value in an output's memory", "outputs", worked,
       [](PlainPlan& p) { p.take("B", "Y", AllocRule::kFreeBuffer); }},
      {"over a feed", "feeds and weights", worked, [](PlainPlan& p) { p.take("B", "X", AllocRule::kFreeBuffer); }},
      {"in place of a feed", "feeds and weights", worked, [](PlainPlan& p) { p.take("A", "X", AllocRule::kInPlace); }},
      {"over a weight", "feeds and weights", worked,
       [](PlainPlan& p) {
         p.graph.mutableValue(p.graph.findValue("D")).type = floatTensor({8, 8});
         p.take("D", "W", AllocRule::kFreeBuffer);
       }},
      {"a string in the pattern", "strings", bodies,
       [](PlainPlan& p) { p.block("vs") = {0, 0}, p.pattern.patternOfValue[p.graph.findValue("vs").index()] = 0; }},
      {"a string in a buffer taken again", "strings", bodies,
       [](PlainPlan& p) {
         p.graph.mutableValue(p.graph.findValue("vk")).type = ValueType::tensor(ElementType::kString, Shape{Dim(4)});
         p.take("vk", "vs", AllocRule::kFreeBuffer);
       }},
  };
}

// How long a value lives, how large it is, and where.
std::vector<Mutation> valueMutations() {
  return {
      {"never released", "release", worked, [](PlainPlan& p) { p.allocation.releasedAfterStep[3].clear(); }},
      {"released twice", "release", worked,
       [](PlainPlan& p) { p.allocation.releasedAfterStep[3].push_back(p.graph.findValue("B")); }},
      {"released too early", "release", worked,
       [](PlainPlan& p) { std::swap(p.allocation.releasedAfterStep[3], p.allocation.releasedAfterStep[2]); }},
      {"an output is released", "release", worked,
       [](PlainPlan& p) { p.allocation.releasedAfterStep[4].push_back(p.graph.findValue("Y")); }},
      {"released before a running reader has ended", "release", branches,
       [](PlainPlan& p) { std::swap(p.allocation.releasedAfterStep[4], p.allocation.releasedAfterStep[2]); }},
      {"another size", "size", worked,
       [](PlainPlan& p) {
         p.graph.mutableValue(p.graph.findValue("C")).type = floatTensor({2, 9}),
         p.take("C", "A", AllocRule::kFreeBuffer);
         p.block("A").sizeBytes = 72;
       }},
      {"a smaller buffer", "size", worked,
       [](PlainPlan& p) {
         p.graph.mutableValue(p.graph.findValue("C")).type = floatTensor({2, 9}),
         p.take("C", "A", AllocRule::kLargerBuffer);
         p.block("A").sizeBytes = 72;
       }},
      {"a block smaller than its value", "size", worked, [](PlainPlan& p) { p.block("B").sizeBytes = 60; }},
      {"equal numbers, other symbols", "size", bodies,
       [](PlainPlan& p) {
         p.graph.mutableValue(p.graph.findValue("vk")).type =
             ValueType::tensor(ElementType::kFloat, Shape{Dim("n"), Dim("n")});
         p.hints = [old = p.hints](NodeId id) {
           NodeMemoryHints hints = old(id);
           hints.externalOutputs = false;
           return hints;
         };
         p.at("ve").kind = AllocKind::kAllocate, p.at("ve").rule = AllocRule::kNewBuffer;
         p.hints = [old = p.hints](NodeId id) {
           NodeMemoryHints hints = old(id);
           hints.inplace.push_back({0, 0, AliasKind::kMayInplace});
           return hints;
         };
         p.take("vk", "ve", AllocRule::kInPlace);
       }},
      {"a buffer on another device", "device", worked,
       [](PlainPlan& p) {
         p.take("C", "A", AllocRule::kFreeBuffer),
             p.at("C").device = kGpu,
             p.hints = [old = p.hints, c = p.graph.value(p.graph.findValue("C")).producer](NodeId id) {
               NodeMemoryHints hints = old(id);
               if (id == c) hints.device = kGpu;
               return hints;
             };
       }},
      {"a value away from its node", "device", worked,
       [](PlainPlan& p) { p.at("D").device = kGpu, p.settleOffsets(); }},
      {"the pattern of another device", "device", worked, [](PlainPlan& p) { p.pattern.patterns[0].device = kGpu; }},
      {"a counter that ends too early", "program counter", worked, [](PlainPlan& p) { p.at("B").counter.ends = {2}; }},
      {"a counter that starts too late", "program counter", worked,
       [](PlainPlan& p) { p.at("B").counter.starts = {2}; }},
      {"a counter with unequal lists", "program counter", worked,
       [](PlainPlan& p) { p.at("B").counter.ends.push_back(4); }},
      {"a counter whose intervals overlap", "program counter", worked,
       [](PlainPlan& p) { p.at("B").counter = {{1, 2}, {2, 3}}; }},
      {"a counter that forgets who is still running", "program counter", branches,
       [](PlainPlan& p) { p.at("vp").counter.ends = {2}; }},
  };
}

std::vector<Mutation> partMutations() {
  return {
      {"not an input of the join", "parts", parts, [](PlainPlan& p) { p.take("n", "j", AllocRule::kPart, 2); }},
      {"a join without a hint", "parts", parts,
       [](PlainPlan& p) {
         p.hints = [old = p.hints, join = p.graph.findNode("join")](NodeId id) {
           return id == join
                      ? NodeMemoryHints{.inplace = {{0, 0, AliasKind::kJoin}}, .hostInputs = {}, .hostOutputs = {}}
                      : old(id);
         };
       }},
      {"something before the axis", "parts", parts,
       [](PlainPlan& p) {
         for (const char* name : {"a", "b"})
           p.graph.mutableValue(p.graph.findValue(name)).type = floatTensor({2, 2, 8});
         p.graph.mutableValue(p.graph.findValue("j")).type = floatTensor({2, 4, 8});
         for (const char* name : {"c", "d"})
           p.at(name) = allocate::AllocPlanPerValue{AllocKind::kAllocate, AllocRule::kNewBuffer};
         p.settle();
       }},
      {"a part at a wrong offset", "parts", parts, [](PlainPlan& p) { p.block("b").offset += 4; }},
      {"a part of a wrong size", "parts", parts, [](PlainPlan& p) { p.block("b").sizeBytes -= 4; }},
      {"a part without a place", "parts", parts, [](PlainPlan& p) { p.block("a") = {}; }},
      {"a view of the split at a wrong offset", "parts", parts, [](PlainPlan& p) { p.block("d").offset -= 4; }},
      {"into an output that is no view of it", "parts", parts,
       [](PlainPlan& p) { p.take("e0", "z", AllocRule::kIntoOutput); }},
      {"part bytes are written before the join", "content", parts,
       [](PlainPlan& p) { p.take("m", "j", AllocRule::kFreeBuffer); }},
      {"the joined output is written while a view is read", "content", parts,
       [](PlainPlan& p) { p.take("n", "j", AllocRule::kFreeBuffer); }},
      {"blocks overlap", "space", worked, [](PlainPlan& p) { p.block("D").offset = p.block("B").offset; }},
      {"a block past the peak", "space", worked,
       [](PlainPlan& p) { p.block("D").offset = p.pattern.patterns[0].peakBytes; }},
      {"a block that is not aligned", "space", worked,
       [](PlainPlan& p) { p.block("D").offset -= 64, p.block("C").offset = 0; }},
      {"a buffer without a place", "space", worked, [](PlainPlan& p) { p.block("D") = {}; }},
      {"blocks of steps that run at once overlap", "space", branches,
       [](PlainPlan& p) { p.block("vt").offset = p.block("vp").offset; }},
      {"bodies over a live value", "bodies", bodies,
       [](PlainPlan& p) { p.pattern.bodies[0].block.offset = p.block("va").offset; }},
      {"bodies with too little room", "bodies", bodies,
       [](PlainPlan& p) { p.pattern.bodies[0].block.sizeBytes = 256; }},
      {"bodies without room", "bodies", bodies, [](PlainPlan& p) { p.pattern.bodies.clear(); }},
      {"bodies past the peak", "bodies", bodies, [](PlainPlan& p) { p.pattern.bodies[0].block.offset += 256; }},
      {"onnxruntime takes a part", "onnxruntime's rules", parts,
       [](PlainPlan& p) {
         p.rules = allocate::AllocRules::kOnnxruntime;
         p.settleLives();
       }},
      {"onnxruntime multiplies dimensions", "onnxruntime's rules", onnxruntimePlan,
       [](PlainPlan& p) {
         p.graph.mutableValue(p.graph.findValue("vc")).type =
             ValueType::tensor(ElementType::kFloat, Shape{Dim(8), Dim("n")});
         p.graph.mutableValue(p.graph.findValue("vd")).type =
             ValueType::tensor(ElementType::kFloat, Shape{Dim(8), Dim("n")});
       }},
      {"onnxruntime takes a larger buffer", "onnxruntime's rules", onnxruntimePlan,
       [](PlainPlan& p) { p.at("vc").rule = AllocRule::kLargerBuffer; }},
      {"onnxruntime compares unknown dimensions", "onnxruntime's rules", onnxruntimePlan,
       [](PlainPlan& p) {
         for (const char* name : {"va", "vc"})
           p.graph.mutableValue(p.graph.findValue(name)).type =
               ValueType::tensor(ElementType::kFloat, Shape{Dim(), Dim(8)});
         p.graph.mutableValue(p.graph.findValue("vd")).type =
             ValueType::tensor(ElementType::kFloat, Shape{Dim(), Dim(8)});
       }},
  };
}

}  // namespace

class TestPlanChecker : public QObject {
  Q_OBJECT
 private slots:
  void goodPlansPass() {
    for (const auto good : {worked, parts, branches, bodies, onnxruntimePlan}) {
      const PlainPlan plan = good();
      const std::string text = describeViolations(checkPlan(plan.toCheck()));
      QVERIFY2(text.empty(), text.c_str());
    }
  }

  void brokenPlansAreFound_data() {
    QTest::addColumn<int>("index");
    m_mutations = orderMutations();
    for (const auto& more : {bufferMutations(), valueMutations(), partMutations()})
      m_mutations.insert(m_mutations.end(), more.begin(), more.end());
    for (size_t i = 0; i < m_mutations.size(); ++i)
      QTest::addRow("%s: %s", m_mutations[i].rule, m_mutations[i].name) << static_cast<int>(i);
  }
  void brokenPlansAreFound() {
    QFETCH(int, index);
    const Mutation& mutation = m_mutations[static_cast<size_t>(index)];
    PlainPlan plan = mutation.good();
    mutation.breakIt(plan);
    const auto violations = checkPlan(plan.toCheck());
    m_broken.insert(mutation.rule);
    const std::string text = fmt::format("expected '{}', got:\n{}", mutation.rule, describeViolations(violations));
    QVERIFY2(PlainPlan::namesOf(violations) == std::set<std::string>{mutation.rule}, text.c_str());
  }

  void edges_data() {
    QTest::addColumn<bool>("good");
    QTest::addColumn<QString>("what");
    QTest::newRow("memory edge") << true << "memory edge";
    QTest::newRow("no memory edge") << false << "no memory edge";
    QTest::newRow("data edge missing") << false << "data edge missing";
    QTest::newRow("edge backwards") << false << "edge backwards";
    QTest::newRow("blocks overlap without an edge") << false << "blocks";
    QTest::newRow("in place with a reader elsewhere") << false << "in place";
  }
  // vr's branch is over before vt is written, as the edges say: vt may take vp's buffer then.
  void edges() {
    QFETCH(bool, good);
    QFETCH(QString, what);
    PlainPlan plan = branches();
    plan.workers = 1;
    plan.order.endOfStep.clear();
    plan.order.workerOfStep.clear();
    const bool inPattern = what == "blocks";
    if (inPattern) {
      plan.settle();
      plan.block("vt").offset = plan.block("vp").offset;
    } else if (what == "in place") {
      plan.graph.setNodeInput(plan.graph.findNode("u"), 0, plan.graph.findValue("vs"));
      plan.take("vt", "vs", AllocRule::kInPlace);
    } else {
      plan.take("vt", "vp", AllocRule::kFreeBuffer);
    }
    std::vector<StepEdge> edges = dataEdges(plan.graph, plan.order);
    if (what == "memory edge" || what == "data edge missing" || what == "edge backwards") edges.push_back({2, 4});
    if (what == "data edge missing") std::erase_if(edges, [](const StepEdge& edge) { return edge.from == 4; });
    if (what == "edge backwards") edges.push_back({4, 3});
    const auto violations = checkEdges(plan.toCheck(), edges);
    QVERIFY2(PlainPlan::namesOf(violations) == (good ? std::set<std::string>{} : std::set<std::string>{"edges"}),
             describeViolations(violations).c_str());
    if (!good) m_broken.insert("edges");
  }

  void streams_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"good", "no wait", "wait before the notification is given", "launched twice",
                             "never launched", "on the wrong stream", "waits for ever", "given twice"})
      QTest::newRow(what) << what;
  }
  void streams() {
    QFETCH(QString, what);
    PlainPlan plan = branches();
    for (const size_t step : {1, 3, 4})
      plan.order.steps[step].stream = 1;
    using Kind = StreamCommandKind;
    GraphSchedule schedule;
    schedule.streamPlans.resize(2);
    auto& first = schedule.streamPlans[0].commands;
    auto& second = schedule.streamPlans[1].commands;
    first = {{Kind::kLaunchKernel, 0}, {Kind::kLaunchKernel, 2}, {Kind::kWaitOnEp, 5, 0}, {Kind::kLaunchKernel, 5}};
    second = {{Kind::kLaunchKernel, 1},
              {Kind::kLaunchKernel, 3},
              {Kind::kLaunchKernel, 4},
              {Kind::kActivateNotification, 4, 0}};
    if (what == "no wait") first.erase(first.begin() + 2);
    if (what == "wait before the notification is given") std::swap(second[2], second[3]);
    if (what == "launched twice") first.push_back({Kind::kLaunchKernel, 0});
    if (what == "never launched") first.pop_back();
    if (what == "on the wrong stream") plan.order.steps[0].stream = 1;
    if (what == "waits for ever") second.pop_back();
    if (what == "given twice") second.push_back(second.back());
    const auto violations = checkStreams(plan.graph, plan.order, schedule);
    QVERIFY2(
        PlainPlan::namesOf(violations) == (what == "good" ? std::set<std::string>{} : std::set<std::string>{"streams"}),
        describeViolations(violations).c_str());
    if (what != "good") m_broken.insert("streams");
  }

  void everyRuleIsBrokenSomewhere() {
    for (int rule = 0; rule < kPlanRules; ++rule) {
      const char* name = planRuleName(static_cast<PlanRule>(rule));
      QVERIFY2(m_broken.contains(name), fmt::format("no mutation breaks '{}'", name).c_str());
    }
  }

 private:
  std::vector<Mutation> m_mutations;
  std::set<std::string> m_broken;
};

QTEST_GUILESS_MAIN(TestPlanChecker)
#include "tst_plan_checker.moc"
