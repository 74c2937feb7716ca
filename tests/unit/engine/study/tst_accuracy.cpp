// Comparing configurations: error measures, the first value that differs, the smallest failing submodel; and cutting
// submodels.

#include <limits>

#include <QTemporaryDir>
#include <QTest>

#include "engine/graph/text.h"
#include "engine/provider/graph_interpreter.h"
#include "engine/provider/group_builder.h"
#include "engine/stages/load/tensor_file.h"
#include "engine/study/accuracy/accuracy.h"
#include "engine/study/accuracy/submodel.h"
#include "engine/study/mixed/keep_float.h"
#include "providers/cpu/provider.h"
#include "tests/provider/test_provider.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr const char* kNet = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,2] x, float[2,2] bias) => (float[2,2] y) <float[2,2] w = {1,2,3,4}> {
  [first] a = Neg (x)
  [product] b = MatMul (a, w)
  [bent] c = Sigmoid (b)
  [sum] d = Add (c, bias)
  [last] y = Exp (d)
})";

// Runs Sigmoid, and is wrong by one part in a hundred.
class WrongSigmoid final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    const Tensor& input = *context.input(0);
    CUTAWAY_TRY(Tensor * output, context.output(0, input.dims()));
    const auto from = input.span<float>();
    for (size_t i = 0; i < from.size(); ++i)
      output->span<float>()[i] = 1.01f / (1.0f + std::exp(-from[i]));
    return {};
  }
};

class WrongProvider final : public ExecutionProvider {
 public:
  const std::string& name() const override { return m_name; }
  const Device& device() const override { return heapAllocator().device(); }
  Allocator& allocator() override { return heapAllocator(); }
  const KernelRegistry* kernels() const override {
    static constexpr KernelRow kRows[] = {
        {.opType = "Sigmoid", .create = [](const KernelInfo&) -> Result<std::unique_ptr<Kernel>> {
           return std::make_unique<WrongSigmoid>();
         }}};
    static const KernelRows kTables[] = {kRows};
    static const KernelRegistry registry(kTables);
    return &registry;
  }

 private:
  std::string m_name = "wrong";
};

// The same arithmetic, with all Sigmoids of the model in one group.
class WrongGroups final : public ExecutionProvider {
 public:
  const std::string& name() const override { return m_name; }
  const Device& device() const override { return heapAllocator().device(); }
  Allocator& allocator() override { return heapAllocator(); }

  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    std::vector<NodeId> nodes;
    std::ranges::copy_if(request.free, std::back_inserter(nodes),
                         [&](NodeId id) { return request.graph.node(id).opType == "Sigmoid"; });
    CapabilityAnswer answer;
    if (nodes.empty()) return answer;
    GroupBorder border = borderOf(request.graph, nodes, false);
    MetaDef metaDef{
        .name = "bent", .domain = {}, .inputs = std::move(border.inputs), .outputs = std::move(border.outputs)};
    answer.claims.push_back({.subGraph = {.nodes = std::move(nodes), .metaDef = std::move(metaDef)}});
    return answer;
  }

  Result<std::vector<CompiledNode>> compile(std::span<const FusedSubGraph> groups, const Progress&) override {
    std::vector<CompiledNode> compiled;
    for (const FusedSubGraph& group : groups) {
      CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, interpretGraph(group.graph, *WrongProvider().kernels()));
      compiled.push_back({.kernel = std::move(kernel), .inplace = {}});
    }
    return compiled;
  }

 private:
  std::string m_name = "groups";
};

ProviderTable tableWithWrong() {
  ProviderEntry groups;
  groups.name = "groups";
  groups.create = [](const ProviderRequest&) -> Result<std::unique_ptr<ExecutionProvider>> {
    return std::make_unique<WrongGroups>();
  };
  ProviderEntry wrong;
  wrong.name = "wrong";
  wrong.create = [](const ProviderRequest&) -> Result<std::unique_ptr<ExecutionProvider>> {
    return std::make_unique<WrongProvider>();
  };
  return {wrong, groups, cpuProvider()};
}

load::ModelSource sourceOf(const char* text) {
  Result<Model> model = parseModelText(text);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  return load::ModelSource::loaded(std::make_shared<const Model>(*std::move(model)));
}

study::AccuracyRequest requestOn(const char* text) {
  study::AccuracyRequest request;
  request.source = sourceOf(text);
  return request;
}

const ValueAccuracy* find(const AccuracyReport& report, const std::string& value) {
  for (const ValueAccuracy& each : report.values) {
    if (each.value == value) return &each;
  }
  return nullptr;
}

RuntimeValue floats(std::initializer_list<int64_t> dims, const std::vector<float>& values) {
  return floatFeed("x", dims, values).value;
}

std::vector<std::string> names(const Graph& graph, std::span<const ValueId> ids) {
  std::vector<std::string> all;
  for (const ValueId id : ids)
    all.push_back(graph.value(id).name);
  return all;
}

}  // namespace

class TestAccuracy : public QObject {
  Q_OBJECT

 private slots:
  // The same network as another exporter writes it: names by chance the same for other values, inputs called otherwise.
  void modelsAreMatched() {
    const char* other = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,2] in0, float[2,2] in1) => (float[2,2] result) <float[2,2] w = {1,2,3,4}> {
  d = Neg (in0)
  a = MatMul (d, w)
  b = Sigmoid (a)
  c = Add (b, in1)
  result = Exp (c)
})";
    const study::AccuracyRequest request{.source = sourceOf(kNet), .other = sourceOf(other), .everyLayer = true};
    Progress progress;
    const auto report = study::compareConfigurations(request, cpuTable(), progress);
    QVERIFY2(report, why(report).c_str());
    QStringList values;
    for (const ValueAccuracy& value : report->values) {
      values << QString::fromStdString(value.value);
      QVERIFY2(value.problem.empty() && value.maxAbsolute == 0, value.value.c_str());
    }
    QCOMPARE(values, (QStringList{"a", "b", "c", "d", "y"}));
    QVERIFY2(report->warnings.front().starts_with("5 of 5 nodes of A"), report->warnings.front().c_str());
  }

  // A quantised model: the layer that loses is named, by its error and by how much it adds.
  void quantisationIsSeenLayerByLayer() {
    const char* quantised = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,2] x, float[2,2] bias) => (float[2,2] y) <float[2,2] w = {1,2,3,4}, float coarse = {0.3}, int8 zero = {0}> {
  [first] a = Neg (x)
  [product] b = MatMul (a, w)
  [bent] c = Sigmoid (b)
  [q] cq = QuantizeLinear (c, coarse, zero)
  [dq] cd = DequantizeLinear (cq, coarse, zero)
  [sum] d = Add (cd, bias)
  [last] y = Exp (d)
})";
    const study::AccuracyRequest request{.source = sourceOf(kNet), .other = sourceOf(quantised), .everyLayer = true};
    Progress progress;
    const auto report = study::compareConfigurations(request, cpuTable(), progress);
    QVERIFY2(report, why(report).c_str());
    QVERIFY(report->firstDivergence >= 0);
    QCOMPARE(report->values[static_cast<size_t>(report->firstDivergence)].node, std::string("sum"));
    QVERIFY2(report->warnings.back().find("Add 'sum' from 0.0e+00") != std::string::npos,
             report->warnings.back().c_str());
  }

  // Of two quantised nodes the one behind coarse steps stays float: it reads what it read before, and the weights of
  // the float model.
  void whatMustStayFloatIsFound() {
    const char* exact = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1,2,3,4}, float[2,2] v = {0.5,-1,0.25,2}> {
  [first] a = MatMul (x, w)  [second] b = MatMul (a, v)  [last] y = Neg (b) })";
    const char* quantised = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,2] x) => (float[2,2] y) <int8[2,2] wq = {32,64,95,127}, int8[2,2] vq = {32,-64,16,127}, float fine = {0.0079},
  float ws = {0.0315}, float vs = {0.0157}, float coarse = {2}, int8 zero = {0}> {
  [qx] xq = QuantizeLinear (x, fine, zero)     [dqx] xd = DequantizeLinear (xq, fine, zero)
  [dqw] wd = DequantizeLinear (wq, ws, zero)   [first] a = MatMul (xd, wd)
  [qa] aq = QuantizeLinear (a, coarse, zero)   [dqa] ad = DequantizeLinear (aq, coarse, zero)
  [dqv] vd = DequantizeLinear (vq, vs, zero)   [second] b = MatMul (ad, vd)  [last] y = Neg (b) })";
    study::MixedRequest request{.exact = sourceOf(exact), .quantised = sourceOf(quantised), .goal = 0.02};
    Progress progress;
    const auto mixed = study::keepFloat(request, cpuTable(), progress);
    QVERIFY2(mixed, why(mixed).c_str());
    QCOMPARE(mixed->report.nodes.size(), size_t{2});
    QCOMPARE(mixed->report.nodes.front().node, std::string("second"));
    QVERIFY2(mixed->report.quantisedError > 0.1, std::to_string(mixed->report.quantisedError).c_str());
    QVERIFY2(mixed->report.reached(), std::to_string(mixed->report.mixedError).c_str());
    QCOMPARE(mixed->report.kept, 1);
    QVERIFY(mixed->report.nodes.back().together < 0);
    const Graph& graph = mixed->model->graph;
    const Node& second = graph.node(graph.findNode("second"));
    QCOMPARE(graph.value(second.inputs[0]).name, std::string("a"));
    QCOMPARE(graph.value(second.inputs[1]).initializer->span<float>()[0], 0.5f);
    QVERIFY(graph.findNode("qx").valid() && !graph.findNode("qa").valid() && !graph.findNode("dqv").valid());

    // Both, where nearly nothing is allowed; one of them where no more may be kept.
    request.goal = 1e-7;
    const auto both = study::keepFloat(request, cpuTable(), progress);
    QVERIFY2(both, why(both).c_str());
    QVERIFY(both->report.reached() && both->report.kept == 2);
    request.mostKept = 1;
    const auto one = study::keepFloat(request, cpuTable(), progress);
    QVERIFY2(one, why(one).c_str());
    QVERIFY(!one->report.reached() && one->report.kept == 1);
    request.quantised = request.exact;
    const auto nothing = study::keepFloat(request, cpuTable(), progress);
    QVERIFY(!nothing && nothing.error().code == ErrorCode::kInvalidArgument);
  }

  // Integers stand for numbers where a DequantizeLinear says for which; elsewhere they are not compared.
  void integersAreComparedAsWhatTheyStandFor() {
    const char* plain = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,2] x) => (float[1,4] y) { [bent] c = Sigmoid (x)  [flat] f = Flatten <axis = 0> (c)  [last] y = Exp (f) })";
    const std::string head = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,2] x) => (float[1,4] y) <float coarse = {0.1}, int8 zero = {0}> {
  [bent] c = Sigmoid (x)  [q] cq = QuantizeLinear (c, coarse, zero)  [flat] f = Flatten <axis = 0> (cq) )";
    const std::string told = head + "[dq] d = DequantizeLinear (f, coarse, zero)  [last] y = Exp (d) }";
    const std::string untold = head + "[cast] i = Cast <to = 1> (f)  [times] d = Mul (i, coarse)  [last] y = Exp (d) }";
    Progress progress;
    const auto compare = [&](const std::string& other) {
      return study::compareConfigurations(
          {.source = sourceOf(plain), .other = sourceOf(other.c_str()), .everyLayer = true}, cpuTable(), progress);
    };
    const auto known = compare(told), unknown = compare(untold);
    QVERIFY2(known, why(known).c_str());
    QVERIFY2(unknown, why(unknown).c_str());
    const ValueAccuracy* flat = find(*known, "f");
    QVERIFY(flat && flat->problem.empty() && flat->maxAbsolute > 0 && flat->maxAbsolute <= 0.05001);
    QVERIFY(!find(*unknown, "f"));
    QVERIFY(find(*unknown, "y"));
  }

  void modelsThatTakeOtherInputsAreRefused() {
    const char* other = R"(<ir_version: 8, opset_import: ["" : 17]>
main (int32[2,2] x, float[2,2] bias) => (float[2,2] y) { [cast] c = Cast <to = 1> (x) [sum] y = Add (c, bias) })";
    Progress progress;
    const auto types =
        study::compareConfigurations({.source = sourceOf(kNet), .other = sourceOf(other)}, cpuTable(), progress);
    QVERIFY(!types);
    QCOMPARE(types.error().code, ErrorCode::kInvalidArgument);
    QVERIFY2(types.error().message.find("'x'") != std::string::npos, types.error().message.c_str());
    const char* fewer = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,2] x) => (float[2,2] y) { y = Neg (x) })";
    QVERIFY(!study::compareConfigurations({.source = sourceOf(kNet), .other = sourceOf(fewer)}, cpuTable(), progress));
    QVERIFY(!study::compareConfigurations(
        {.source = sourceOf(kNet), .other = sourceOf(kNet), .failingFolder = "failing"}, cpuTable(), progress));
  }

  // Numbers of CPU kernels in the place of hardware say nothing about that hardware.
  void simulatedHardwareIsTold() {
    ProviderTable table = {{.name = "npu",
                            .create = [](const ProviderRequest&) -> Result<std::unique_ptr<ExecutionProvider>> {
                              TestProviderPlan plan;
                              plan.name = "npu";
                              plan.simulated = true;
                              plan.singles = {"bent"};
                              static const auto cpu = cpuProvider().create({});
                              plan.kernels = (*cpu)->kernels();
                              return makeTestProvider(std::move(plan));
                            }},
                           cpuProvider()};
    study::AccuracyRequest request = requestOn(kNet);
    request.a.providers = {"npu", "cpu"};
    request.b.providers = {"cpu"};
    request.titleA = "phone";
    Progress progress;
    const auto report = study::compareConfigurations(request, table, progress);
    QVERIFY2(report, why(report).c_str());
    QCOMPARE(report->warnings.size(), size_t{1});
    QVERIFY2(report->warnings[0].starts_with("phone: npu is hardware that is not here"), report->warnings[0].c_str());
    request.a.providers = {"cpu"};
    const auto plain = study::compareConfigurations(request, table, progress);
    QVERIFY2(plain && plain->warnings.empty(), why(plain).c_str());
  }

  void measuresErrors() {
    ValueAccuracy accuracy;
    study::measureError(floats({4}, {1, 2, 3, 4.5f}), floats({4}, {1, 2, 3, 4}), {0.01, 0.001}, accuracy);
    QCOMPARE(accuracy.maxAbsolute, 0.5);
    QCOMPARE(accuracy.maxRelative, 0.125);
    QCOMPARE(accuracy.rootMeanSquare, 0.25);
    QCOMPARE(accuracy.outsideTolerance, int64_t{1});
    QVERIFY(accuracy.problem.empty());
    QVERIFY(accuracy.cosine < 1 && accuracy.cosine > 0.99);
  }

  // An error at a zero is as large as the tolerance lets it be, not as the zero is small.
  void zerosAreJudgedByTheAbsoluteTolerance() {
    ValueAccuracy accuracy;
    study::measureError(floats({2}, {0.5f, 100}), floats({2}, {0, 100}), {1e-3, 1e-5}, accuracy);
    QCOMPARE(accuracy.maxRelative, 50.0);
    ValueAccuracy within;
    study::measureError(floats({1}, {5e-6f}), floats({1}, {0}), {1e-3, 1e-5}, within);
    QVERIFY(within.outsideTolerance == 0 && within.maxRelative < 1e-3);
  }

  void judgesWhatIsNotFinite() {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    ValueAccuracy same, other;
    study::measureError(floats({2}, {nan, infinity}), floats({2}, {nan, infinity}), {}, same);
    QCOMPARE(same.outsideTolerance, int64_t{0});
    study::measureError(floats({2}, {nan, infinity}), floats({2}, {1, -infinity}), {}, other);
    QCOMPARE(other.outsideTolerance, int64_t{2});
    QCOMPARE(other.nonFiniteMismatches, int64_t{2});
  }

  void shapesThatDifferAreAProblem() {
    ValueAccuracy accuracy;
    study::measureError(floats({2, 2}, {1, 2, 3, 4}), floats({4}, {1, 2, 3, 4}), {}, accuracy);
    QVERIFY(!accuracy.problem.empty());
  }

  void equalConfigurationsAgree() {
    Progress progress;
    const auto report = study::compareConfigurations(requestOn(kNet), tableWithWrong(), progress);
    QVERIFY2(report, why(report).c_str());
    QCOMPARE(report->firstDivergence, kNone);
    QVERIFY(!report->values.empty());
    for (const ValueAccuracy& value : report->values)
      QCOMPARE(value.maxAbsolute, 0.0);
  }

  void namesTheFirstDivergence() {
    study::AccuracyRequest request = requestOn(kNet);
    request.b.providers = {"wrong", "cpu"};
    Progress progress;
    const auto report = study::compareConfigurations(request, tableWithWrong(), progress);
    QVERIFY2(report, why(report).c_str());
    QVERIFY(report->firstDivergence != kNone);
    const ValueAccuracy& first = report->values[static_cast<size_t>(report->firstDivergence)];
    QCOMPARE(first.value, std::string("c"));
    QCOMPARE(first.opType, std::string("Sigmoid"));
    QCOMPARE(first.providerA, std::string("cpu"));
    QCOMPARE(first.providerB, std::string("wrong"));
    QVERIFY(find(*report, "b") != nullptr && find(*report, "b")->outsideTolerance == 0);
    QVERIFY(find(*report, "y") != nullptr && find(*report, "y")->isOutput && find(*report, "y")->outsideTolerance > 0);
  }

  // Of several inputs every value has the largest of its errors, and the failing part is cut where they differ.
  void samplesGiveTheLargestErrors() {
    study::AccuracyRequest request = requestOn(kNet);
    request.b.providers = {"wrong", "cpu"};
    const auto maxima = [&](const std::vector<std::vector<execute::Feed>>& samples) {
      request.samples = samples;
      Progress progress;
      const auto report = study::compareConfigurations(request, tableWithWrong(), progress);
      if (!report) qFatal("%s", why(report).c_str());
      const ValueAccuracy* bent = find(*report, "c");
      return std::pair(bent->maxAbsolute, bent->elements);
    };
    const std::vector<execute::Feed> small = {{"x", floats({2, 2}, {9, 9, 9, 9})}};  // Sigmoid of -36 and less
    const std::vector<execute::Feed> large = {{"x", floats({2, 2}, {-9, -9, -9, -9})}};
    const auto one = maxima({small}), other = maxima({large});
    QVERIFY(one.first < 1e-6 && other.first > 0.009);
    for (const auto& samples : {std::vector{small, large}, std::vector{large, small}})
      QCOMPARE(maxima(samples), std::pair(other.first, 2 * one.second));
    const QTemporaryDir folder;
    request.samples = {small, large};
    request.failingFolder = folder.path().toStdString();
    Progress progress;
    const auto report = study::compareConfigurations(request, tableWithWrong(), progress);
    QVERIFY2(report, why(report).c_str());
    QCOMPARE(report->failingNodes, std::vector<std::string>{"bent"});
  }

  // What is left of the model is the one wrong node, with inputs that make it fail.
  void savesTheSmallestFailingSubmodel() {
    QTemporaryDir folder;
    study::AccuracyRequest request = requestOn(kNet);
    request.b.providers = {"wrong", "cpu"};
    request.failingFolder = folder.path().toStdString();
    Progress progress;
    const auto report = study::compareConfigurations(request, tableWithWrong(), progress);
    QVERIFY2(report, why(report).c_str());
    QCOMPARE(report->failingNodes, std::vector<std::string>{"bent"});
    const auto session =
        session::Session::create(load::ModelSource::file(report->failingModel), {}, cpuTable(), progress);
    QVERIFY2(session, why(session).c_str());
    const auto input = load::readTensorFile(request.failingFolder / "test_data_set_0/input_0.pb", {});
    const auto expected = load::readTensorFile(request.failingFolder / "test_data_set_0/output_0.pb", {});
    QVERIFY(input && expected);
    QCOMPARE(input->name, std::string("b"));
    const auto result = (*session)->run({{input->name, input->value}}, {});
    QVERIFY2(result, why(result).c_str());
    QCOMPARE(floatsOf(result->outputs[0].value), floatsOf(expected->value));
  }

  // Values are fetched in batches, a run each.
  void smallBatchesGiveTheSameAnswer() {
    study::AccuracyRequest request = requestOn(kNet);
    request.b.providers = {"wrong"};
    request.batchBytes = 1;
    Progress progress;
    const auto report = study::compareConfigurations(request, tableWithWrong(), progress);
    QVERIFY2(report, why(report).c_str());
    QCOMPARE(report->values[static_cast<size_t>(report->firstDivergence)].value, std::string("c"));
  }

  // Whatever a side would fuse: all five values are there.
  void everyLayerIsKeptOnDemand() {
    study::AccuracyRequest request = requestOn(kNet);
    request.everyLayer = true;
    request.b.optimizationLevel = 0;
    Progress progress;
    const auto report = study::compareConfigurations(request, tableWithWrong(), progress);
    QVERIFY2(report, why(report).c_str());
    for (const char* value : {"a", "b", "c", "d", "y"})
      QVERIFY2(find(*report, value) != nullptr, value);
    QCOMPARE(report->firstDivergence, kNone);
  }

  // A group is one node of its side: what is inside is told by the other side's nodes, in their order, and where the
  // two part is said.
  void looksIntoGroups() {
    study::AccuracyRequest request = requestOn(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,2] x) => (float[2,2] y) {
  [first] a = Neg (x)
  [early] b = Sigmoid (a)
  [late] c = Sigmoid (b)
  [last] y = Exp (c)
})");
    request.everyLayer = true;
    request.tolerance = {0.005, 0.0001};
    request.a.providers = {"groups"};
    request.b.providers = {"cpu"};
    request.a.optimizationLevel = request.b.optimizationLevel = 0;
    Progress progress;
    const auto report = study::compareConfigurations(request, tableWithWrong(), progress);
    QVERIFY2(report, why(report).c_str());
    QStringList seen;
    for (const ValueAccuracy& value : report->values)
      seen += QString::fromStdString(value.value + " " + value.opType + " " + value.node + " " + value.providerA);
    QCOMPARE(seen,
             QStringList({"a Neg first cpu", "b Sigmoid early groups", "c Sigmoid late groups", "y Exp last cpu"}));
    QCOMPARE(report->values[static_cast<size_t>(report->firstDivergence)].node, std::string("early"));
    const QString growth = QString::fromStdString(report->warnings.back());
    QVERIFY2(growth.contains("Sigmoid 'early' from 0.0e+00 to 1.0e-02"), qPrintable(growth));
    QVERIFY2(!growth.contains("Exp"), qPrintable(growth));
  }

  void saysWhichSideFails() {
    study::AccuracyRequest request = requestOn(kNet);
    request.b.providers = {"nobody"};
    request.titleB = "the other";
    Progress progress;
    const auto report = study::compareConfigurations(request, tableWithWrong(), progress);
    QVERIFY(!report);
    QVERIFY(report.error().message.starts_with("the other: "));
  }

  void cutsBetweenValues() {
    const Model model = *parseModelText(kNet);
    const std::string input = "b", output = "d";
    const auto cut = study::cutSubmodel(model, {&input, 1}, {&output, 1});
    QVERIFY2(cut, why(cut).c_str());
    const Graph& graph = cut->model.graph;
    QCOMPARE(graph.nodeCount(), size_t{2});
    QCOMPARE(names(graph, graph.inputs()), (std::vector<std::string>{"b", "bias"}));
    QCOMPARE(cut->addedInputs, std::vector<std::string>{"bias"});
    QCOMPARE(names(graph, graph.outputs()), std::vector<std::string>{"d"});
  }

  void keepsWeightsInside() {
    const Model model = *parseModelText(kNet);
    const std::string output = "b";
    const auto cut = study::cutSubmodel(model, {}, {&output, 1});
    QVERIFY2(cut, why(cut).c_str());
    QCOMPARE(names(cut->model.graph, cut->model.graph.inputs()), std::vector<std::string>{"x"});
    QCOMPARE(cut->model.graph.initializers().size(), size_t{1});
  }

  void refusesBadCuts_data() {
    QTest::addColumn<QString>("input");
    QTest::addColumn<QString>("output");
    QTest::addColumn<QString>("part");
    QTest::newRow("unknown output") << "x" << "nothing" << "no such value";
    QTest::newRow("unknown input") << "nothing" << "y" << "no such value";
    QTest::newRow("output is an input") << "x" << "x" << "no node makes it";
    QTest::newRow("output is a weight") << "x" << "w" << "no node makes it";
    QTest::newRow("input behind the output") << "d" << "c" << "do not need";
  }
  void refusesBadCuts() {
    QFETCH(QString, input);
    QFETCH(QString, output);
    QFETCH(QString, part);
    const std::string in = input.toStdString(), out = output.toStdString();
    const auto cut = study::cutSubmodel(*parseModelText(kNet), {&in, 1}, {&out, 1});
    QVERIFY(!cut);
    QCOMPARE(cut.error().code, ErrorCode::kInvalidArgument);
    QVERIFY2(QString::fromStdString(cut.error().message).contains(part), cut.error().message.c_str());
  }
};

QTEST_APPLESS_MAIN(TestAccuracy)
#include "tst_accuracy.moc"
