// What kernel rows tell the planner and the partitioner, held against the schemas, against lists kept by hand, and
// against what the kernels do: every case is run again with each output written over the input that a hint names, and
// with other bytes in the inputs that are said not to be read.

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <QtTest>

#include "engine/schema/schema.h"
#include "providers/cpu/kernels/kernel_table.h"
#include "tests/unit/providers/cpu/case_runner.h"

using namespace cutaway;

namespace {

// The schemas of a row's span: each version that its first and last opset and those between know.
std::vector<const OperatorSchema*> schemasOf(const KernelRow& row) {
  std::vector<const OperatorSchema*> schemas;
  const int64_t last =
      std::min<int64_t>(row.versions.last, std::max<int64_t>(newestOpset(row.domain), row.versions.first));
  for (int64_t version = row.versions.first; version <= last; ++version) {
    const OperatorSchema* schema = findSchema(row.opType, row.domain, version);
    if (schema != nullptr && row.versions.contains(schema->sinceVersion) &&
        std::ranges::find(schemas, schema) == schemas.end())
      schemas.push_back(schema);
  }
  return schemas;
}

bool hasSlot(int slot, int32_t most) {
  return slot >= 0 && slot < most;
}

std::string typeTextOf(const std::vector<FormalParameter>& parameters, int slot) {
  return parameters.empty() ? std::string()
                            : parameters[std::min(static_cast<size_t>(slot), parameters.size() - 1)].typeText;
}

// As "com.microsoft:FusedGemm 1", with the types that tell a row from others of its operator: "... of double, int32".
std::string nameOf(const KernelRow& row) {
  std::string name = fmt::format("{}:{} {}", row.domain, row.opType, row.versions.first);
  for (const TypeRule& rule : row.types) {
    for (const ElementType type : rule.allowed)
      name +=
          fmt::format("{}{}", type == rule.allowed.front() ? rule.slot == row.types.front().slot ? " of " : "; " : ", ",
                      elementTypeName(type));
  }
  return name;
}

bool allows(const KernelRow& row, const InplaceHint& wanted) {
  return std::ranges::any_of(row.inplace, [&](const InplaceHint& hint) {
    return hint.input == wanted.input && hint.output == wanted.output && hint.kind == wanted.kind;
  });
}

bool sameHints(std::span<const InplaceHint> a, std::span<const InplaceHint> b) {
  return std::ranges::equal(a, b, [](const InplaceHint& x, const InplaceHint& y) {
    return x.input == y.input && x.output == y.output && x.kind == y.kind;
  });
}

std::vector<const KernelRow*> rowsOf(std::string_view domain, std::string_view opType) {
  std::vector<const KernelRow*> rows;
  for (const KernelRow* row : cpu::cpuKernels().rows()) {
    if (row->domain == domain && row->opType == opType) rows.push_back(row);
  }
  return rows;
}

// Lists are longer than a failure's message may be.
bool isEmpty(const std::set<std::string>& wrong) {
  for (const std::string& each : wrong)
    qWarning("%s", each.c_str());
  return wrong.empty();
}

// Whether some node could match both rows.
bool overlap(const KernelRow& a, const KernelRow& b) {
  if (a.versions.last < b.versions.first || b.versions.last < a.versions.first) return false;
  for (const TypeRule& left : a.types) {
    for (const TypeRule& right : b.types) {
      if (left.slot == right.slot && std::ranges::none_of(left.allowed, [&](ElementType type) {
            return std::ranges::find(right.allowed, type) != right.allowed.end();
          }))
        return false;
    }
  }
  return true;
}

std::vector<std::filesystem::path> caseFolders() {
  const std::filesystem::path backend = std::filesystem::path(CUTAWAY_TEST_DATA_DIR) / "backend";
  std::vector<std::filesystem::path> roots{backend / "node", backend / "simple"};
  if (std::filesystem::exists(backend / "own")) {
    for (const auto& family : std::filesystem::directory_iterator(backend / "own"))
      roots.push_back(family.path());
  }
  std::vector<std::filesystem::path> folders;
  for (const std::filesystem::path& root : roots) {
    if (!std::filesystem::is_directory(root)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
      if (std::filesystem::exists(entry.path() / "model.onnx")) folders.push_back(entry.path());
    }
  }
  std::ranges::sort(folders);
  return folders;
}

struct Wanted {
  std::string_view domain;
  std::vector<std::string_view> operators;
  std::vector<InplaceHint> hints;
};

constexpr InplaceHint kFirst{0, 0, AliasKind::kMayInplace}, kSecond{1, 0, AliasKind::kMayInplace},
    kThird{2, 0, AliasKind::kMayInplace}, kView{0, 0, AliasKind::kAlias};

std::vector<Wanted> wantedHints() {
  return {
      {"",
       {"Abs",  "Neg",  "Sign",  "Floor", "Ceil",  "Round", "Reciprocal", "Sqrt", "Exp",
        "Log",  "Erf",  "Sin",   "Cos",   "Tan",   "Asin",  "Acos",       "Atan", "Sinh",
        "Cosh", "Tanh", "Asinh", "Acosh", "Atanh", "Not",   "BitwiseNot"},
       {kFirst}},
      {"",
       {"Relu",    "LeakyRelu",   "PRelu",     "Elu",     "Selu", "Celu",     "ThresholdedRelu",
        "Sigmoid", "HardSigmoid", "HardSwish", "Swish",   "Mish", "Softplus", "Softsign",
        "Gelu",    "Clip",        "Shrink",    "Dropout", "Cast", "CastLike", "BitCast"},
       {kFirst}},
      {"",
       {"Softmax", "LogSoftmax", "Hardmax", "LayerNormalization", "RMSNormalization", "SimplifiedLayerNormalization",
        "BatchNormalization", "InstanceNormalization", "GroupNormalization", "MeanVarianceNormalization",
        "LpNormalization"},
       {kFirst}},
      {"",
       {"ScatterElements", "ScatterND", "Scatter", "TensorScatter", "Trilu", "CumSum", "CumProd", "RotaryEmbedding"},
       {kFirst}},
      {"",
       {"Add", "Sub", "Mul", "Div", "Mod", "And", "Or", "Xor", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitShift",
        "Max", "Min", "Sum", "Mean"},
       {kFirst, kSecond}},
      {"", {"Pow"}, {kFirst}},
      {"", {"Where"}, {kSecond, kThird}},
      {"", {"Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Optional", "OptionalGetElement"}, {kView}},
      {"", {"Concat"}, {{InplaceHint::kEveryInput, 0, AliasKind::kJoin}}},
      {"", {"Split"}, {{0, InplaceHint::kEveryOutput, AliasKind::kSplit}}},
      {"com.microsoft", {"ExpandDims"}, {kView}},
      {"com.microsoft",
       {"Gelu", "BiasGelu", "FastGelu", "QuickGelu", "BiasSoftmax", "BiasAdd", "BiasDropout", "QLinearSigmoid",
        "QLinearLeakyRelu", "QLinearSoftmax", "RotaryEmbedding", "MRotaryEmbedding", "GroupNorm"},
       {kFirst}},
      {"com.microsoft", {"QLinearAdd", "QLinearMul"}, {kFirst, {3, 0, AliasKind::kMayInplace}}},
      {"com.microsoft", {"QLinearWhere"}, {kSecond, {4, 0, AliasKind::kMayInplace}}},
      {"com.microsoft", {"SkipLayerNormalization", "SkipSimplifiedLayerNormalization"}, {kFirst, kSecond}},
  };
}

struct WantedSlots {
  std::string_view opType;
  std::vector<int> listed;
};

// Of the newest version.
std::vector<WantedSlots> wantedHostInputs() {
  return {{"Reshape", {1}},
          {"Slice", {1, 2, 3, 4}},
          {"Expand", {1}},
          {"Tile", {1}},
          {"Pad", {1, 2, 3}},
          {"Resize", {1, 2, 3}},
          {"Squeeze", {1}},
          {"Unsqueeze", {1}},
          {"ReduceSum", {1}},
          {"ReduceMean", {1}},
          {"ReduceMax", {1}},
          {"ReduceL2", {1}},
          {"TopK", {1}},
          {"Range", {0, 1, 2}},
          {"ConstantOfShape", {0}},
          {"OneHot", {1}},
          {"Split", {1}},
          {"If", {0}},
          {"Loop", {0, 1}},
          {"CumSum", {1}},
          {"NonMaxSuppression", {2, 3, 4}},
          {"DFT", {1, 2}},
          {"STFT", {1, 3}},
          {"HannWindow", {0}},
          {"HammingWindow", {0}},
          {"BlackmanWindow", {0}},
          {"MelWeightMatrix", {0, 1, 2, 3, 4}},
          {"CenterCropPad", {1}},
          {"AffineGrid", {1}},
          {"Col2Im", {1, 2}},
          {"SplitToSequence", {1}},
          {"SequenceAt", {1}},
          {"Trilu", {1}},
          {"MaxUnpool", {2}},
          {"ReverseSequence", {1}}};
}

// What the backend cases made the kernels do.
struct CaseRuns {
  int passed = 0;
  std::set<std::string> failures;
  std::map<const KernelRow*, std::set<std::string>> variants;            // of the kernels that served a row's nodes
  std::map<const KernelRow*, std::set<std::pair<int, int>>> overInputs;  // output, input
};

// Notes what one node did.
void note(const Node& node, const KernelRow& row, const Kernel& kernel, const testing::OverInputs& overInputs,
          CaseRuns& runs) {
  for (const auto& [output, input] : overInputs)
    runs.overInputs[&row].emplace(static_cast<int>(output), input);
  // A later row makes the kernel where the first that fits refuses.
  for (const KernelRow* each : rowsOf(node.domain, node.opType)) {
    if (each->versions.contains(node.sinceVersion) && overlap(row, *each))
      runs.variants[each].insert(std::string(kernel.variant()));
  }
}

// Runs one case as often as the node with the most hints has hints, so that each is tried first once.
void runInPlace(const std::filesystem::path& folder, CaseRuns& runs) {
  size_t most = 1;
  for (size_t first = 0; first < most; ++first) {
    const testing::CaseOutcome outcome =
        testing::runCase(folder, cpu::cpuKernels(), [&](testing::GraphInterpreter& interpreter) {
          interpreter.overInput = first;
          interpreter.ran = [&](const Node& node, const KernelRow* row, const Kernel& kernel,
                                const testing::OverInputs& overInputs) {
            if (row == nullptr) return;
            most = std::max(most, row->inplace.size());
            note(node, *row, kernel, overInputs, runs);
          };
        });
    if (outcome.verdict == testing::CaseOutcome::Verdict::kPassed) ++runs.passed;
    if (outcome.verdict == testing::CaseOutcome::Verdict::kFailed)
      runs.failures.insert(fmt::format("{} (hint {} first): {}", folder.filename().string(), first, outcome.message));
  }
}

// The Constant nodes of a file become initializers when it is loaded: this one comes from a graph made by hand.
void runConstant(CaseRuns& runs) {
  Graph graph;
  Node constant{.name = "constant", .opType = "Constant", .attributes = {{"value_int", int64_t{7}}}};
  constant.sinceVersion = 13;
  const NodeId id = graph.addNode(std::move(constant), {}, {"y"});
  graph.addOutput(graph.node(id).outputs.front());
  testing::GraphInterpreter interpreter(cpu::cpuKernels());
  interpreter.ran = [&](const Node& node, const KernelRow* row, const Kernel& kernel,
                        const testing::OverInputs& overInputs) {
    if (row != nullptr) note(node, *row, kernel, overInputs, runs);
  };
  const Result<std::vector<RuntimeValue>> given = interpreter.run(graph, {});
  if (!given)
    runs.failures.insert(describe(given.error()));
  else if (given->front().tensor().span<int64_t>().front() != 7)
    runs.failures.insert("Constant gives another number");
}

const CaseRuns& caseRuns() {
  static const CaseRuns all = [] {
    CaseRuns runs;
    for (const std::filesystem::path& folder : caseFolders()) {
      // What does not pass in fresh memory is no matter of hints.
      if (testing::runCase(folder, cpu::cpuKernels()).verdict == testing::CaseOutcome::Verdict::kPassed)
        runInPlace(folder, runs);
    }
    runConstant(runs);
    return runs;
  }();
  return all;
}

std::set<std::string> fastPathsThatDidNotRun(const std::vector<const KernelRow*>& rows, const CaseRuns& runs) {
  std::set<std::string> missing;
  for (const KernelRow* row : rows) {
    const auto seen = runs.variants.find(row);
    const bool ran = row->fastPath.empty() ||
                     (seen != runs.variants.end() && std::ranges::any_of(seen->second, [&](const std::string& variant) {
                        return variant.starts_with(row->fastPath);
                      }));
    if (!ran) missing.insert(fmt::format("{}: '{}' did not run", nameOf(*row), row->fastPath));
  }
  return missing;
}

std::set<std::string> hintsThatWereNotUsed(const std::vector<const KernelRow*>& rows, const CaseRuns& runs) {
  std::set<std::string> missing;
  for (const KernelRow* row : rows) {
    const auto used = runs.overInputs.find(row);
    for (const InplaceHint& hint : row->inplace) {
      if (hint.kind != AliasKind::kMayInplace) continue;
      if (used == runs.overInputs.end() || !used->second.contains({hint.output, hint.input}))
        missing.insert(
            fmt::format("{}: output {} was never written over input {}", nameOf(*row), hint.output, hint.input));
    }
  }
  return missing;
}

constexpr std::string_view kFastPaths[] = {"", "onednn", "highway", "threads", "lookup", "copy"};

}  // namespace

class TestKernelRows : public QObject {
  Q_OBJECT

 private slots:
  void slotsLieWithinTheSchema() {
    std::set<std::string> wrong;
    for (const KernelRow* row : cpu::cpuKernels().rows()) {
      for (const OperatorSchema* schema : schemasOf(*row)) {
        const std::string name = fmt::format("{} (schema {})", nameOf(*row), schema->sinceVersion);
        for (const InplaceHint& hint : row->inplace) {
          const bool everyInput = hint.kind == AliasKind::kJoin && hint.input == InplaceHint::kEveryInput,
                     everyOutput = hint.kind == AliasKind::kSplit && hint.output == InplaceHint::kEveryOutput;
          if ((!everyInput && !hasSlot(hint.input, schema->maxInputs)) ||
              (!everyOutput && !hasSlot(hint.output, schema->maxOutputs)))
            wrong.insert(fmt::format("{}: hint {} -> {}", name, hint.input, hint.output));
        }
        // One row may serve versions that take an attribute where later ones take an input: the newest of the span
        // decides.
        if (schema != schemasOf(*row).back()) continue;
        for (const auto& [what, listed] :
             {std::pair{"host input", row->hostInputs}, std::pair{"shape-only input", row->shapeOnlyInputs}}) {
          for (const int slot : listed) {
            if (!hasSlot(slot, schema->maxInputs))
              wrong.insert(fmt::format("{}: {} {} of {}", name, what, slot, schema->maxInputs));
          }
        }
        for (const int slot : row->hostOutputs) {
          if (!hasSlot(slot, schema->maxOutputs))
            wrong.insert(fmt::format("{}: host output {} of {}", name, slot, schema->maxOutputs));
        }
      }
    }
    QVERIFY(isEmpty(wrong));
  }

  // A view of another element type would read bytes as something else; Optional and its kin wrap the same value.
  void viewsKeepTheirType() {
    std::set<std::string> wrong;
    for (const KernelRow* row : cpu::cpuKernels().rows()) {
      if (row->opType.starts_with("Optional")) continue;
      for (const OperatorSchema* schema : schemasOf(*row)) {
        for (const InplaceHint& hint : row->inplace) {
          if (hint.kind != AliasKind::kAlias) continue;
          if (typeTextOf(schema->inputs, hint.input) != typeTextOf(schema->outputs, hint.output))
            wrong.insert(fmt::format("{}: a view of another type", nameOf(*row)));
        }
      }
    }
    QVERIFY(isEmpty(wrong));
  }

  void shapeOnlyInputsAreNotReadOnTheHost() {
    for (const KernelRow* row : cpu::cpuKernels().rows()) {
      for (const int slot : row->shapeOnlyInputs)
        QVERIFY2(std::ranges::find(row->hostInputs, slot) == row->hostInputs.end(), nameOf(*row).c_str());
    }
  }

  void noHintIsGivenTwice() {
    for (const KernelRow* row : cpu::cpuKernels().rows()) {
      std::set<std::pair<int, int>> seen;
      for (const InplaceHint& hint : row->inplace)
        QVERIFY2(seen.emplace(hint.input, hint.output).second, nameOf(*row).c_str());
      for (const std::span<const int> listed : {row->hostInputs, row->hostOutputs, row->shapeOnlyInputs})
        QVERIFY2(std::set<int>(listed.begin(), listed.end()).size() == listed.size(), nameOf(*row).c_str());
    }
  }

  // A planner goes by the first row that fits, also where that row's create refuses and a later one makes the kernel:
  // rows of one version must say the same.
  void rowsOfOneVersionAgree() {
    std::set<std::string> wrong;
    for (const KernelRow* a : cpu::cpuKernels().rows()) {
      for (const KernelRow* b : rowsOf(a->domain, a->opType)) {
        if (a == b || !overlap(*a, *b)) continue;
        if (!sameHints(a->inplace, b->inplace))
          wrong.insert(fmt::format("{}: other in-place hints than {}", nameOf(*a), nameOf(*b)));
        if (!std::ranges::equal(a->hostInputs, b->hostInputs))
          wrong.insert(fmt::format("{}: other host inputs than {}", nameOf(*a), nameOf(*b)));
        if (!std::ranges::equal(a->shapeOnlyInputs, b->shapeOnlyInputs))
          wrong.insert(fmt::format("{}: other shape-only inputs than {}", nameOf(*a), nameOf(*b)));
      }
    }
    QVERIFY(isEmpty(wrong));
  }

  void operatorsHaveTheHintsTheyMust() {
    std::set<std::string> wrong;
    for (const Wanted& wanted : wantedHints()) {
      for (const std::string_view opType : wanted.operators) {
        const std::vector<const KernelRow*> rows = rowsOf(wanted.domain, opType);
        if (rows.empty()) wrong.insert(fmt::format("{} has no row", opType));
        for (const KernelRow* row : rows) {
          for (const InplaceHint& hint : wanted.hints) {
            if (!allows(*row, hint))
              wrong.insert(fmt::format("{}: no hint {} -> {}", nameOf(*row), hint.input, hint.output));
          }
        }
      }
    }
    QVERIFY(isEmpty(wrong));
  }

  void operatorsReadShapesOnTheHost() {
    std::set<std::string> wrong;
    const auto compare = [&](const WantedSlots& wanted, std::span<const int> KernelRow::* member) {
      const std::vector<const KernelRow*> rows = rowsOf("", wanted.opType);
      if (rows.empty() || !std::ranges::equal(rows.back()->*member, wanted.listed))
        wrong.insert(std::string(wanted.opType));
    };
    for (const WantedSlots& wanted : wantedHostInputs())
      compare(wanted, &KernelRow::hostInputs);
    for (const std::string_view opType : {"Shape", "Size"})
      compare({opType, {0}}, &KernelRow::hostOutputs);
    for (const std::string_view opType : {"Shape", "Size", "EyeLike", "RandomNormalLike", "RandomUniformLike"})
      compare({opType, {0}}, &KernelRow::shapeOnlyInputs);
    compare({"CastLike", {1}}, &KernelRow::shapeOnlyInputs);
    QVERIFY(isEmpty(wrong));
  }

  void fastPathsHaveKnownNames() {
    for (const KernelRow* row : cpu::cpuKernels().rows())
      QVERIFY2(std::ranges::find(kFastPaths, row->fastPath) != std::end(kFastPaths),
               fmt::format("{}: '{}'", nameOf(*row), row->fastPath).c_str());
  }

  // Results are those of fresh memory.
  void casesInPlace() {
    QVERIFY(isEmpty(caseRuns().failures));
    QVERIFY2(caseRuns().passed >= 1500, qPrintable(QString("only %1 runs passed").arg(caseRuns().passed)));
  }

  // Every kernel says what a row of its operator declares or less: "threads" for element types that the vectors do not
  // cover, "copy" where nothing is left to compute, "reference".
  void variantsAreDeclared() {
    std::set<std::string> wrong;
    for (const auto& [row, seen] : caseRuns().variants) {
      for (const std::string& variant : seen) {
        const bool declared =
            variant.starts_with("reference") || variant.starts_with("copy") ||
            std::ranges::any_of(rowsOf(row->domain, row->opType), [&](const KernelRow* each) {
              return !each->fastPath.empty() && (variant.starts_with(each->fastPath) || variant.starts_with("threads"));
            });
        if (!declared) wrong.insert(fmt::format("{}: runs '{}', which no row declares", nameOf(*row), variant));
      }
    }
    QVERIFY(isEmpty(wrong));
  }

  void everyFastPathRuns() { QVERIFY(isEmpty(fastPathsThatDidNotRun(cpu::cpuKernels().rows(), caseRuns()))); }

  void everyHintIsUsed() { QVERIFY(isEmpty(hintsThatWereNotUsed(cpu::cpuKernels().rows(), caseRuns()))); }

  // The two checks above find what is missing: a row that no case reaches, and one whose cases run something else.
  void missingRunsAreNamed() {
    const InplaceHint hints[] = {kFirst, kView, kSecond};
    const KernelRow fast{.opType = "Fast", .versions = {1}, .fastPath = "onednn"},
        plain{.opType = "Plain", .versions = {1}}, hinted{.opType = "Hinted", .versions = {7}, .inplace = hints};
    CaseRuns runs;
    QCOMPARE(fastPathsThatDidNotRun({&fast, &plain}, runs), std::set<std::string>{":Fast 1: 'onednn' did not run"});
    runs.variants[&fast] = {"reference"};
    QCOMPARE(fastPathsThatDidNotRun({&fast, &plain}, runs), std::set<std::string>{":Fast 1: 'onednn' did not run"});
    runs.variants[&fast].insert("onednn:brg");
    QVERIFY(fastPathsThatDidNotRun({&fast, &plain}, runs).empty());

    runs.overInputs[&hinted] = {{0, 0}};
    QCOMPARE(hintsThatWereNotUsed({&fast, &hinted}, runs),
             std::set<std::string>{":Hinted 7: output 0 was never written over input 1"});
    runs.overInputs[&hinted].insert({0, 1});
    QVERIFY(hintsThatWereNotUsed({&fast, &hinted}, runs).empty());
  }
};

QTEST_GUILESS_MAIN(TestKernelRows)
#include "tst_kernel_rows.moc"
