// The search for a cure: which change frees what a declared profile refuses, that it is proved, combined and saved.

#include <filesystem>
#include <fstream>

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/provider/group_builder.h"
#include "engine/schema/convert_opset.h"
#include "engine/study/cure/cure.h"
#include "engine/study/cure/variant.h"
#include "providers/cpu/provider.h"
#include "providers/declared/provider.h"
#include "tests/unit/engine/session/text_session.h"
#include "tests/unit/providers/declared/declared_fixture.h"

using namespace cutaway;

namespace {

struct Case {
  const char* name;
  const char* variant;    // of the first step
  const char* title;      // part of its title
  int before, left;       // nodes that the profile takes, and nodes left, before
  int leftAfter, groups;  // with all steps
  int steps;
  const char* model;       // behind the header
  const char* operators;   // of the profile
  const char* extra = "";  // of the profile
  double most = 0;         // the largest difference that the proof may see
  int opset = 17;
};

constexpr Case kCases[] = {
    {"free batch", "fix dimensions", "batch = 1", 0, 3, 0, 1, 1,
     R"(main (float[batch,4] x) => (float[batch,4] y) { [a] p = Relu (x)  [b] q = Tanh (p)  [c] y = Neg (q) })",
     R"([{"op": "Relu"}, {"op": "Tanh"}, {"op": "Neg"}])", R"("static_shapes": true,)"},
    {"dimensions without a name", "fix dimensions", "dimension 0 of 'x' = 1", 0, 1, 0, 1, 1,
     R"(main (float[?,4] x) => (float[?,4] y) { [a] y = Relu (x) })", R"([{"op": "Relu"}])",
     R"("static_shapes": true,)"},
    {"parameters that a caller may override", "make constant", "4 inputs with defaults of BatchNormalization 'bn'", 2,
     1, 0, 1, 1,
     R"(main (float[1,2,3,3] x, float[2] s, float[2] b, float[2] m, float[2] v) => (float[1,2,3,3] y)
        <float[2] s = {1,2}, float[2] b = {0.5,-0.5}, float[2] m = {0.1,0.2}, float[2] v = {1,4}> {
        [r] p = Relu (x)  [bn] q = BatchNormalization (p, s, b, m, v)  [t] y = Tanh (q) })",
     R"([{"op": "Relu"}, {"op": "Tanh"}, {"op": "BatchNormalization", "constant_inputs": [1, 2, 3, 4]}])"},
    {"behind a node", "make constant", "'s' of Mul 'm' is a constant", 0, 2, 0, 1, 1,
     R"(main (float[1,2] x, float[2] s) => (float[1,2] y) <float[2] s = {1,2}> { [n] k = Neg (s)  [m] y = Mul (x, k) })",
     R"([{"op": "Mul", "constant_inputs": [1]}])"},
    {"dequantised weights", "fold constants", "the result of DequantizeLinear 'd'", 4, 1, 0, 1, 1,
     R"(main (float[1,2] x) => (uint8[1,2] y) <int8[2,2] w = {1,2,3,4}, float s = {0.5}, float qs = {0.1}, uint8 z = {3}> {
        [q] i = QuantizeLinear (x, qs, z)  [f] xf = DequantizeLinear (i, qs, z)  [d] wf = DequantizeLinear (w, s)
        [m] h = MatMul (xf, wf)  [o] y = QuantizeLinear (h, qs, z) })",
     R"([{"op": "QuantizeLinear"}, {"op": "MatMul"}, {"op": "DequantizeLinear", "inputs": {"minimum": 3}}])",
     R"("groups": {"quantized_units": false},)"},
    {"HardSwish", "equivalent form", "HardSwish 'h' as x * HardSigmoid(x)", 1, 1, 0, 1, 1,
     R"(main (float[2,3] x) => (float[2,3] y) { [r] p = Neg (x)  [h] y = HardSwish (p) })",
     R"([{"op": "Neg"}, {"op": "Mul"}, {"op": "HardSigmoid"}])", "", 1e-6},
    {"Clip with bounds that are computed", "equivalent form", "Min(Max(x, low), high)", 0, 1, 0, 1, 1,
     R"(main (float[4] x, float[] l, float[] h) => (float[4] y) { [c] y = Clip (x, l, h) })",
     R"([{"op": "Min"}, {"op": "Max"}])"},
    {"Erf", "equivalent form", "a polynomial", 0, 1, 0, 1, 1,
     R"(main (float[64] x) => (float[64] y) { [e] y = Erf (x) })",
     R"([{"op": "Abs"}, {"op": "Mul"}, {"op": "Add"}, {"op": "Div"}, {"op": "Neg"}, {"op": "Exp"}, {"op": "Sub"}, {"op": "Sign"}])",
     "", 1e-6},
    {"a Gelu with a division at its end", "spelled gelu", "the Gelu of Erf 'e' as one Gelu", 4, 1, 0, 1, 1,
     R"(main (float[2,8] x) => (float[2,8] y) <float r = {1.4142135}, float o = {1}, float t = {2}> {
        [d] a = Div (x, r)  [e] b = Erf (a)  [p] c = Add (b, o)  [m] f = Mul (x, c)  [h] y = Div (f, t) })",
     R"([{"op": "Div"}, {"op": "Add"}, {"op": "Mul"}, {"op": "Gelu"}])", "", 1e-6, 20},
    {"a Gelu that is multiplied out", "spelled gelu", "as one Gelu of com.microsoft", 4, 1, 0, 1, 1,
     R"(main (float[2,8] x) => (float[2,8] y) <float[1] r = {0.70710677}, float[1] h = {0.5}> {
        [d] a = Mul (r, x)  [e] b = Erf (a)  [p] c = Mul (x, h)  [m] f = Mul (c, b)  [s] y = Add (f, c) })",
     R"([{"op": "Add"}, {"op": "Mul"}, {"op": "Gelu", "domain": "com.microsoft"}])", "", 1e-6},
    {"what is nearly a Gelu is none", "", "", 4, 1, 1, 2, 0,
     R"(main (float[2,8] x) => (float[2,8] y) <float r = {1.5}, float o = {1}, float t = {2}> {
        [d] a = Div (x, r)  [e] b = Erf (a)  [p] c = Add (b, o)  [m] f = Mul (x, c)  [h] y = Div (f, t) })",
     R"([{"op": "Div"}, {"op": "Add"}, {"op": "Mul"}, {"op": "Gelu"}])", "", 0, 20},
    {"by the standard", "equivalent form", "as the standard defines it", 0, 1, 0, 1, 1,
     R"(main (float[2,4] x) => (float[2,4] y) { [e] y = Celu <alpha = 1.5> (x) })",
     R"([{"op": "Div"}, {"op": "Elu"}, {"op": "Mul"}])", "", 1e-6},
    {"dilated ConvTranspose", "stuff dilation", "zeros in the kernel of ConvTranspose 'c'", 0, 1, 0, 1, 1,
     R"(main (float[1,2,4,3] x) => (float[1,2,h,w] y) <float[2,1,2,2] k = {1,2,3,4,5,6,7,8}> {
        [c] y = ConvTranspose <dilations = [3, 2], group = 2, kernel_shape = [2, 2], pads = [1, 0, 0, 1]> (x, k) })",
     R"([{"op": "ConvTranspose", "attributes": {"dilations": {"equals": 1}}}])", "", 1e-5},
    {"six dimensions", "lower rank", "in 4 dimensions or fewer", 0, 3, 0, 1, 1,
     R"(main (float[1,12,2,5] x) => (float[1,30,4] y) <int64[6] s = {1,3,4,2,1,5}, int64[3] t = {1,30,4}> {
        [r] a = Reshape (x, s)  [p] b = Transpose <perm = [0, 5, 3, 1, 4, 2]> (a)  [u] y = Reshape (b, t) })",
     R"([{"op": "Reshape"}, {"op": "Transpose"}])", R"("maximum_rank": 4,)"},
    {"a Gather with a matrix of indices", "lower rank", "in 4 dimensions or fewer", 0, 3, 0, 1, 1,
     R"(main (float[1,3,1,2,7] x) => (float[1,9,2,2] y) <int64[3,2] i = {0,1,2,3,4,6}, int64[4] t = {1,9,2,2}> {
        [g] a = Gather <axis = 4> (x, i)  [p] b = Transpose <perm = [0, 1, 2, 4, 3, 5]> (a)  [u] y = Reshape (b, t) })",
     R"([{"op": "Reshape"}, {"op": "Transpose"}, {"op": "Gather"}])", R"("maximum_rank": 5,)"},
    {"float64", "change precision", "in float instead of double", 2, 1, 0, 1, 1,
     R"(main (float[4] x) => (float[4] y) { [u] a = Cast <to = 11> (x)  [s] b = Sigmoid (a)  [d] y = Cast <to = 1> (b) })",
     R"([{"op": "Cast", "types": {"*": ["float32", "float64"], "out*": ["float32", "float64"]}}, {"op": "Sigmoid"}])",
     "", 1e-6},
    {"an opset that is too old", "convert opset", "opset 21 instead of 11", 0, 2, 0, 1, 1,
     R"(main (float[2,3,4] x) => (float[2,3,4] y) { [r] h = Relu (x)  [u] y = Tanh (h) })",
     R"([{"op": "Relu", "versions": [13, null]}, {"op": "Tanh", "versions": [13, null]}])", "", 0, 11},
    {"one on top of the other", "fix dimensions", "batch = 1", 0, 2, 0, 1, 2,
     R"(main (float[batch,4] x) => (float[batch,4] y) { [a] p = Relu (x)  [b] y = HardSwish (p) })",
     R"([{"op": "Relu"}, {"op": "Mul"}, {"op": "HardSigmoid"}])", R"("static_shapes": true,)", 1e-6},
    {"nothing helps", "", "", 1, 1, 1, 1, 0,
     R"(main (float[1,4] x) => (float[1,4] y) { [a] p = Relu (x)  [b] y = Cosh (p) })", R"([{"op": "Relu"}])"},
};

const Case& caseOf(const char* name) {
  for (const Case& each : kCases)
    if (std::string_view(each.name) == name) return each;
  qFatal("no case");
}

// Takes what stands between DequantizeLinear and QuantizeLinear, and them; nothing else.
class UnitsOnly final : public ExecutionProvider {
 public:
  const std::string& name() const override { return m_name; }
  const Device& device() const override { return heapAllocator().device(); }
  Allocator& allocator() override { return heapAllocator(); }
  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    CapabilityAnswer answer;
    GroupingOptions grouping{.supported = std::vector<char>(request.graph.nodeSlots(), 0), .quantizedUnits = false};
    for (const NodeId id : request.free) {
      if (isQuantised(request.graph, request.graph.node(id)))
        grouping.supported[id.index()] = 1;
      else
        answer.refusals.push_back({.node = id, .cause = RefusalCause::kType, .reason = "it is float"});
    }
    Groups groups = buildGroups(request, grouping);
    answer.claims = std::move(groups.claims);
    return answer;
  }

 private:
  static bool isQuantised(const Graph& graph, const Node& node) {
    if (node.opType.ends_with("quantizeLinear") || node.opType == "QuantizeLinear") return true;
    const auto isFloat = [&](ValueId id) { return graph.value(id).type.element == ElementType::kFloat; };
    const bool in = std::ranges::all_of(node.inputs, [&](ValueId id) {
      const NodeId maker = graph.value(id).producer;
      return !isFloat(id) || (maker.valid() && graph.node(maker).opType == "DequantizeLinear");
    });
    return in && std::ranges::all_of(node.outputs, [&](ValueId id) {
             return !isFloat(id) ||
                    (graph.value(id).outputCount == 0 && std::ranges::all_of(graph.value(id).uses, [&](const Use& use) {
                       return graph.node(use.node).opType == "QuantizeLinear";
                     }));
           });
  }
  std::string m_name = "units";
};

Result<std::unique_ptr<ExecutionProvider>> createUnitsOnly(const ProviderRequest& /*request*/) {
  return std::make_unique<UnitsOnly>();
}

ProviderTable table() {
  ProviderEntry units{.name = "units", .displayName = "Units", .description = "quantised nodes"};
  units.create = &createUnitsOnly;
  return {declaredProvider(), std::move(units), cpuProvider()};
}

}  // namespace

class TestCure : public QObject {
  Q_OBJECT

  study::CureRequest requestOf(const Case& each) {
    const std::filesystem::path folder = m_folder.path().toStdString();
    std::ofstream(folder / "toy.json") << testing::toyProfile(
        each.operators, std::string(R"("types": ["float32", "uint8", "int8", "int64"],)") + each.extra);
    const std::string text = fmt::format("<ir_version: 8, opset_import: [\"\" : {}]>\n{}", each.opset, each.model);
    Result<Model> model = parseModelText(text);
    if (!model) qFatal("%s: %s", each.name, describe(model.error()).c_str());
    study::CureRequest request;
    request.source = load::ModelSource::loaded(std::make_shared<const Model>(*std::move(model)));
    request.options.providers = {"declared(Toy)", "cpu"};
    request.options.profileFolders = {folder};
    return request;
  }

  Result<study::Cure> cure(const study::CureRequest& request) {
    Progress progress;
    return study::findCure(request, table(), progress);
  }

  QTemporaryDir m_folder;

 private slots:
  void frees_data() {
    QTest::addColumn<int>("index");
    for (size_t i = 0; i < std::size(kCases); ++i)
      QTest::newRow(kCases[i].name) << static_cast<int>(i);
  }
  void frees() {
    QFETCH(int, index);
    const Case& each = kCases[index];
    const auto cured = cure(requestOf(each));
    QVERIFY2(cured, why(cured).c_str());
    const CureReport& report = cured->report;
    QCOMPARE(report.provider, std::string("declared(Toy)"));
    std::string tried;
    for (const CureAttempt& attempt : report.attempts)
      tried += attempt.title + ": " + attempt.outcome + "\n";
    for (const CureProposal& proposal : report.proposals)
      tried += proposal.title + ": " + proposal.proof.note + "\n";
    QVERIFY2(int(report.before.taken) == each.before && int(report.before.left()) == each.left,
             fmt::format("{} taken, {} left", report.before.taken, report.before.left()).c_str());
    QVERIFY2(int(report.steps.size()) == each.steps, tried.c_str());
    QCOMPARE(int(report.after.left()), each.leftAfter);
    QCOMPARE(int(report.after.groups), each.groups);
    QCOMPARE(cured->single.size(), report.proposals.size());
    QCOMPARE(cured->combined.size(), report.steps.size());
    if (report.steps.empty()) return;
    const CureProposal& first = report.steps.front();
    QCOMPARE(first.variant, std::string(each.variant));
    QVERIFY2(first.title.find(each.title) != std::string::npos, first.title.c_str());
    QVERIFY(first.proof.agrees && first.proof.elements > 0);
    for (const CureProposal& step : report.steps)
      QVERIFY2(step.proof.maxAbsolute <= each.most, fmt::format("{}", step.proof.maxAbsolute).c_str());
    // What was left and is free now is told for every node.
    for (const CureNode& node : report.refused)
      QVERIFY2(!node.proposals.empty() || each.steps > 1, node.name.c_str());
    QVERIFY(report.compiled);
    QCOMPARE(report.afterCompile.taken, report.after.taken);
  }

  // Float nodes between quantised ones: what only moves values keeps their steps, and loses nothing.
  void closesBorders_data() {
    QTest::addColumn<QString>("nodes");
    QTest::addColumn<QString>("title");  // of the step; empty: none
    QTest::addColumn<double>("absolute");
    QTest::addColumn<double>("most");
    QTest::addColumn<int>("steps");
    // Behind: a Relu that is quantised. i comes with steps of 0.1, o goes out with steps of 0.01.
    QTest::newRow("MaxPool") << "[p] v = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (i)"
                             << "at the border of MaxPool 'p'" << 0.0 << 0.0 << 1;
    QTest::newRow("one after the other") << "[f] u = Relu (i)  [t] v = Transpose <perm = [0, 1, 3, 2]> (u)"
                                         << "at the border of Transpose 't'" << 0.0 << 0.0 << 1;
    QTest::newRow("Tanh") << "[t] v = Tanh (i)" << "at the border of Tanh 't'" << 0.02 << 0.0101 << 1;
    QTest::newRow("Tanh that is to be near")
        << "[t] v = Tanh (i)" << "at the border of Tanh 't', in 16 bits" << 0.0001 << 0.0001 << 1;
    QTest::newRow("no bounds") << "[t] v = Exp (i)" << "" << 1.0 << 0.0 << 0;
  }
  void closesBorders() {
    QFETCH(QString, nodes);
    QFETCH(QString, title);
    QFETCH(double, absolute);
    QFETCH(double, most);
    QFETCH(int, steps);
    const std::string text = fmt::format(
        R"(<ir_version: 10, opset_import: ["" : 21]>
        main (uint8[1,2,4,4] x) => (float[a,b,c,d] y) <float s = {{0.1}}, uint8 z = {{128}}> {{
        [dx] i = DequantizeLinear (x, s, z)  {}  [last] w = Abs (v)  [one] y = Mul (w, w) }})",
        nodes.toStdString());
    Result<Model> model = parseModelText(text);
    QVERIFY2(model, why(model).c_str());
    study::CureRequest request;
    request.source = load::ModelSource::loaded(std::make_shared<const Model>(*std::move(model)));
    request.options.providers = {"units", "cpu"};
    request.compile = false;
    request.tolerance = {.relative = 0, .absolute = absolute};
    const auto cured = cure(request);
    QVERIFY2(cured, why(cured).c_str());
    const CureReport& report = cured->report;
    std::string told;
    for (const CureProposal& each : report.proposals)
      told += fmt::format("{} {} {}\n", each.title, each.proof.maxAbsolute, each.proof.note);
    QVERIFY2(int(report.steps.size()) == steps, told.c_str());
    if (steps == 0) return;
    QCOMPARE(report.steps[0].variant, std::string("quantise border"));
    QVERIFY2(report.steps[0].title.ends_with(title.toStdString()), told.c_str());
    QVERIFY2(report.steps[0].proof.maxAbsolute <= most, told.c_str());
    QCOMPARE(report.after.left(), int64_t{2});  // Abs and Mul have no bounds
  }

  // The file that is written is the model that was asked about.
  void theSavedModelIsCured_data() { frees_data(); }
  void theSavedModelIsCured() {
    QFETCH(int, index);
    const Case& each = kCases[index];
    study::CureRequest request = requestOf(each);
    const auto cured = cure(request);
    QVERIFY2(cured, why(cured).c_str());
    if (cured->combined.empty()) return;
    const std::filesystem::path path = std::filesystem::path(m_folder.path().toStdString()) / "cured.onnx";
    const auto saved = study::saveCured(*cured, study::kAllSteps, path, true);
    QVERIFY2(saved, why(saved).c_str());
    request.source = load::ModelSource::file(path);
    const auto again = cure(request);
    QVERIFY2(again, why(again).c_str());
    QCOMPARE(again->report.before.left(), cured->report.after.left());
    QCOMPARE(again->report.before.nodes, cured->report.after.nodes);
    QCOMPARE(again->report.before.groups, cured->report.after.groups);
  }

  void theOriginalStaysAsItIs() {
    const study::CureRequest request = requestOf(caseOf("one on top of the other"));
    const std::string before = printModel(*request.source.model);
    QVERIFY(cure(request));
    QCOMPARE(printModel(*request.source.model), before);
  }

  void takesTheSizesThatAreGiven() {
    study::CureRequest request = requestOf(caseOf("free batch"));
    request.sizes = {{"batch", 5}};
    const auto cured = cure(request);
    QVERIFY2(cured, why(cured).c_str());
    QCOMPARE(cured->report.steps.size(), size_t{1});
    QCOMPARE(cured->report.steps[0].title, std::string("batch = 5"));
    QVERIFY(!cured->report.steps[0].assumed);
    QCOMPARE(cured->report.steps[0].proof.elements, int64_t{20});
  }

  // Of a size of 16 the node that is left would compute less; the model would be another one.
  void guessesAreNotMadeSmallerToComputeLess() {
    constexpr Case kImage{
        "sizes of an image",
        "fix dimensions",
        "",
        0,
        2,
        1,
        1,
        1,
        R"(main (float[1,1,height,width] x) => (float[1,1,height,width] y) { [a] p = Relu (x)  [b] y = Tanh (p) })",
        R"([{"op": "Relu"}])",
        R"("static_shapes": true,)"};
    const auto cured = cure(requestOf(kImage));
    QVERIFY2(cured, why(cured).c_str());
    QCOMPARE(cured->report.steps.size(), size_t{1});
    QCOMPARE(cured->report.steps[0].title, std::string("height = 224, width = 224"));
    QVERIFY(cured->report.steps[0].assumed && cured->report.steps[0].proof.agrees);
  }

  void aGuessSaysThatItIsOne() {
    study::CureRequest request =
        requestOf({"guess", "", "", 0, 0, 0, 0, 0, R"(main (float[1,seq] x) => (float[1,seq] y) { [a] y = Relu (x) })",
                   R"([{"op": "Relu"}])", R"("static_shapes": true,)"});
    const auto cured = cure(request);
    QVERIFY2(cured, why(cured).c_str());
    QCOMPARE(cured->report.steps.size(), size_t{1});
    QVERIFY(cured->report.steps[0].assumed);
  }

  // What does not agree within the tolerance is shown, and is no step.
  void doesNotApplyWhatDiffers() {
    study::CureRequest request = requestOf(caseOf("Erf"));
    request.tolerance = {0, 0};
    const auto cured = cure(request);
    QVERIFY2(cured, why(cured).c_str());
    QVERIFY(cured->report.steps.empty());
    QCOMPARE(cured->report.proposals.size(), size_t{1});
    const CureProof& proof = cured->report.proposals[0].proof;
    QVERIFY(proof.ran && !proof.agrees && proof.outside > 0 && proof.maxAbsolute > 0);
    QVERIFY2(proof.note.find("'y'") != std::string::npos, proof.note.c_str());
    QVERIFY(cured->report.refused.at(0).proposals.empty());
  }

  void saysWhomItAsks() {
    study::CureRequest request = requestOf(caseOf("Erf"));
    request.provider = "npu";
    QCOMPARE(why(cure(request)).find("INVALID_ARGUMENT: there is no provider 'npu'"), size_t{0});
    request.provider.clear();
    request.options.providers = {"cpu"};
    QVERIFY2(why(cure(request)).find("'cpu' takes every node") != std::string::npos, why(cure(request)).c_str());
  }

  void nothingToCure() {
    study::CureRequest request =
        requestOf({"whole", "", "", 0, 0, 0, 0, 0, R"(main (float[1,4] x) => (float[1,4] y) { [a] y = Relu (x) })",
                   R"([{"op": "Relu"}])"});
    const auto cured = cure(request);
    QVERIFY2(cured, why(cured).c_str());
    QCOMPARE(cured->report.before.left(), int64_t{0});
    QCOMPARE(cured->report.askings, int64_t{1});
    QVERIFY(cured->report.steps.empty() && cured->report.attempts.empty());
  }

  // Shown while it works, and ended by the token at any of its steps.
  void showsProgressAndCancels() {
    struct Watch final : Progress {
      Watch(CancelToken token, int last) : Progress(token), m_last(last) {}
      void begin(std::string_view, std::string_view detail) override {
        seen.emplace_back(detail);
        if (++m_count == m_last) token().cancel();
      }
      std::vector<std::string> seen;
      int m_last, m_count = 0;
    };
    const study::CureRequest request = requestOf(caseOf("one on top of the other"));
    Watch whole(CancelToken(), -1);
    QVERIFY(study::findCure(request, table(), whole));
    QVERIFY(whole.seen.size() >= 4);
    QVERIFY(std::ranges::any_of(whole.seen, [](const std::string& text) { return text.ends_with("batch = 1"); }));
    for (int at = 1; at <= static_cast<int>(whole.seen.size()); ++at) {
      Watch watch(CancelToken(), at);
      const auto cured = study::findCure(request, table(), watch);
      QVERIFY2(!cured, fmt::format("cancelled at {}: {}", at, whole.seen[static_cast<size_t>(at - 1)]).c_str());
      QCOMPARE(static_cast<int>(cured.error().code), static_cast<int>(ErrorCode::kModelLoadCanceled));
    }
  }

  void variantsHaveNames() {
    std::set<std::string_view> names;
    for (const study::CureVariant* variant : study::cureVariants()) {
      QVERIFY(names.insert(variant->name).second);
      QVERIFY(!variant->purpose.empty() && variant->propose != nullptr);
    }
  }

  void conversionSaysWhatItCannot() {
    const Model model = *parseModelText(R"(<ir_version: 8, opset_import: ["" : 17]>
      main (float[1] x, bool c) => (float[1] y) {
        y = If <then_branch = t () => (float[1] a) { a = Neg (x) }, else_branch = e () => (float[1] b) { b = Abs (x) }> (c) })");
    const auto converted = convertOpset(model, 13);
    QVERIFY2(why(converted).find("control flow") != std::string::npos, why(converted).c_str());
    // In the converter's words, without the place in its sources.
    const auto older = convertOpset(*parseModelText(R"(<ir_version: 8, opset_import: ["" : 15]>
      main (float[1] x) => (float[1] y) { y = Relu (x) })"),
                                    13);
    QVERIFY2(why(older).find("converter: No Adapter") != std::string::npos, why(older).c_str());
  }
};

QTEST_GUILESS_MAIN(TestCure)
#include "tst_cure.moc"
