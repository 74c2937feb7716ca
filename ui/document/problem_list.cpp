#include "ui/document/problem_list.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include <QCoreApplication>

#include "engine/base/node_name.h"
#include "ui/base/format.h"
#include "ui/base/stage_words.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::ProblemList)
};

// Nodes by name over all snapshots, the loaded one first; made when the first name is looked up.
class NodeNames {
 public:
  explicit NodeNames(const Document& document) : m_document(document) {}

  RowTarget target(const std::string& node, const std::string& value) {
    if (!node.empty()) {
      if (!m_made) make();
      if (const auto found = m_nodes.find(node); found != m_nodes.end()) return {found->second, {}};
    }
    for (const GraphVersion version : {GraphVersion::kLoaded, GraphVersion::kOptimized, GraphVersion::kPartitioned}) {
      const GraphIndex* index = value.empty() ? nullptr : m_document.index(version);
      for (size_t g = 0; index && g < index->graphs().graphs.size(); ++g)
        if (index->valueIndex(static_cast<int>(g), value) >= 0) return {{}, {static_cast<int>(g), text(value)}};
    }
    return {};
  }

 private:
  void make() {
    m_made = true;
    for (const GraphVersion version : {GraphVersion::kLoaded, GraphVersion::kOptimized, GraphVersion::kPartitioned}) {
      const auto graphs = m_document.graphs(version);
      for (size_t g = 0; graphs && g < graphs->graphs.size(); ++g)
        for (size_t n = 0; n < graphs->graphs[g].nodes.size(); ++n)
          m_nodes.try_emplace(nodeName(graphs->graphs[g].nodes[n].name, graphs->graphs[g].nodes[n].opType, n),
                              NodeTarget{version, static_cast<int>(g), static_cast<int>(n)});
    }
  }

  const Document& m_document;
  bool m_made = false;
  std::unordered_map<std::string, NodeTarget> m_nodes;
};

class Collector {
 public:
  explicit Collector(const Document& document) : m_document(document), m_walk(*document.walk()), m_names(document) {}

  std::vector<Problem> all() {
    error(document().error(), failedStage());
    load();
    resolve();
    optimize();
    partition();
    context();
    controllers();
    std::stable_sort(m_problems.begin(), m_problems.end(),
                     [](const Problem& a, const Problem& b) { return a.severity < b.severity; });
    return std::move(m_problems);
  }

 private:
  const Document& document() const { return m_document; }

  QString failedStage() const {
    for (int stage = 0; stage < kStageCount; ++stage)
      if (m_walk.stages[static_cast<size_t>(stage)].state == StageState::kFailed)
        return stageWords(static_cast<Stage>(stage));
    return m_walk.load ? Words::tr("Session") : stageWords(Stage::kLoad);
  }

  void error(const std::optional<Error>& error, const QString& stage) {
    if (!error) return;
    Problem problem{.severity = Problem::kError,
                    .stage = stage,
                    .message = QStringLiteral("%1: %2").arg(text(errorCodeName(error->code)), told(error->message)),
                    .next = nextStep(error->code)};
    QStringList where;
    if (!error->where.file.empty()) where << Words::tr("file %1").arg(text(error->where.file));
    if (!error->where.node.empty()) where << Words::tr("node %1").arg(text(error->where.node));
    if (!error->where.value.empty()) where << Words::tr("value %1").arg(text(error->where.value));
    problem.where = where.join(QStringLiteral(", "));
    if (error->byPolicy) problem.next = Words::tr("A setting forbids it: change the setting, or leave it as it is.");
    problem.target = m_names.target(error->where.node, error->where.value);
    m_problems.push_back(std::move(problem));
  }

  void warnings(const std::vector<std::string>& list, Stage stage, const QString& next) {
    for (const std::string& each : list)
      m_problems.push_back(
          {.severity = Problem::kWarning, .stage = stageWords(stage), .message = told(each), .next = next});
  }

  void load() {
    if (m_walk.load)
      warnings(m_walk.load->warnings, Stage::kLoad,
               Words::tr("The model was loaded all the same; check the named place before you trust results."));
  }

  void resolve() {
    if (!m_walk.resolve) return;
    for (const ModelWarning& each : m_walk.resolve->warnings) {
      const QString where = !each.node.empty()    ? Words::tr("node %1").arg(text(each.node))
                            : !each.value.empty() ? Words::tr("value %1").arg(text(each.value))
                                                  : QString();
      m_problems.push_back({.severity = Problem::kWarning,
                            .stage = stageWords(Stage::kResolve),
                            .message = told(each.message),
                            .where = where,
                            .next = Words::tr("Fix it in the model, or in Edit model if it is a type, shape or name."),
                            .target = m_names.target(each.node, each.value)});
    }
    if (!m_walk.resolve->openSymbols.empty()) {
      QStringList symbols;
      for (const std::string& symbol : m_walk.resolve->openSymbols)
        symbols << text(symbol);
      m_problems.push_back(
          {.severity = Problem::kNote,
           .stage = stageWords(Stage::kResolve),
           .message =
               Words::tr("Dimensions are open: %1. Sizes and plans that depend on them are not known before a run.")
                   .arg(shortened(symbols.join(QStringLiteral(", ")), 120)),
           .next = Words::tr("Set their sizes in the bar below the stages, or fix them in Edit model.")});
    }
  }

  void optimize() {
    if (m_walk.optimize)
      warnings(m_walk.optimize->warnings, Stage::kOptimize,
               Words::tr("The nodes are unchanged; switch the pass off if results are wrong."));
  }

  // Refusals in short: one line for a provider, cause and operator.
  void partition() {
    if (!m_walk.partition) return;
    const PartitionReport& report = *m_walk.partition;
    warnings(report.warnings, Stage::kPartition, Words::tr("The partition panel shows what each provider answered."));
    if (report.unassignedNodes > 0) unassigned(report);
    for (const RefusalSummary& each : report.refusals)
      refusal(each);
  }

  void unassigned(const PartitionReport& report) {
    Problem problem{.severity = Problem::kError,
                    .stage = stageWords(Stage::kPartition),
                    .message = Words::tr("No provider supports %1 nodes, so the model cannot run here.")
                                   .arg(countText(report.unassignedNodes)),
                    .next = Words::tr("Read the reasons beside the nodes in the partition panel; edit the model, or "
                                      "add a provider that knows the operator.")};
    for (const NodePlacement& placement : report.nodes) {
      if (!placement.provider.empty()) continue;
      problem.target.node = {GraphVersion::kOptimized, placement.graph, placement.node};
      if (const NodeReport* node = m_document.node(problem.target.node))
        problem.where = Words::tr("node %1").arg(
            text(nodeName(node->name, node->opType, static_cast<size_t>(problem.target.node.node))));
      break;
    }
    m_problems.push_back(std::move(problem));
  }

  void refusal(const RefusalSummary& each);

  void context() {
    if (!m_walk.context) return;
    warnings(m_walk.context->warnings, Stage::kContext,
             Words::tr("Compile the context again if it does not load or runs wrongly."));
  }

  void controllers() {
    error(m_document.whatIfError(), Words::tr("What if"));
    error(m_document.edits().error(), Words::tr("Edit model"));
    error(m_document.accuracy().error(), Words::tr("Accuracy"));
    error(m_document.tensors().error(), Words::tr("Tensor"));
    error(m_document.difference().error(), Words::tr("Difference of models"));
    error(m_document.contexts().error(), stageWords(Stage::kContext));
    error(m_document.profiles().error(), stageWords(Stage::kRun));
    if (const auto report = m_document.accuracy().report())
      for (const std::string& each : report->warnings)
        m_problems.push_back({.severity = Problem::kWarning, .stage = Words::tr("Accuracy"), .message = told(each)});
  }

  const Document& m_document;
  const WalkReport& m_walk;
  NodeNames m_names;
  std::vector<Problem> m_problems;
};

void Collector::refusal(const RefusalSummary& each) {
  const std::vector<NodePlacement>& nodes = m_walk.partition->nodes;
  Problem problem{
      .severity = Problem::kNote,
      .stage = stageWords(Stage::kPartition),
      .message = Words::tr("%1 refused %2 (%3): %4")
                     .arg(text(each.provider),
                          each.nodes.size() == 1
                              ? Words::tr("1 node")
                              : Words::tr("%1 nodes").arg(countText(static_cast<int64_t>(each.nodes.size()))),
                          text(refusalCauseName(each.cause)), told(each.reason)),
      .next = each.remedy.empty() ? Words::tr("Nothing needs to be done: the next provider runs them.")
                                  : Words::tr("Supported: %1").arg(told(each.remedy))};
  if (!each.nodes.empty() && each.nodes.front() >= 0 && each.nodes.front() < static_cast<int32_t>(nodes.size())) {
    const NodePlacement& first = nodes[static_cast<size_t>(each.nodes.front())];
    problem.target.node = {GraphVersion::kOptimized, first.graph, first.node};
    if (const NodeReport* node = m_document.node(problem.target.node))
      problem.where = Words::tr("node %1").arg(
          text(nodeName(node->name, node->opType, static_cast<size_t>(problem.target.node.node))));
  }
  m_problems.push_back(std::move(problem));
}

}  // namespace

std::vector<Problem> collectProblems(const Document& document) {
  return Collector(document).all();
}

ProblemCounts countProblems(const std::vector<Problem>& problems) {
  ProblemCounts counts;
  for (const Problem& problem : problems)
    ++(problem.severity == Problem::kError     ? counts.errors
       : problem.severity == Problem::kWarning ? counts.warnings
                                               : counts.notes);
  return counts;
}

ProblemCounts problemCounts(const Document& document) {
  const WalkReport& walk = *document.walk();
  ProblemCounts counts;
  const auto size = [](const auto& list) { return static_cast<int>(list.size()); };
  for (const std::optional<Error>* error :
       {&document.error(), &document.whatIfError(), &document.edits().error(), &document.accuracy().error(),
        &document.tensors().error(), &document.difference().error(), &document.contexts().error(),
        &document.profiles().error()})
    counts.errors += error->has_value();
  if (walk.load) counts.warnings += size(walk.load->warnings);
  if (walk.resolve) {
    counts.warnings += size(walk.resolve->warnings);
    counts.notes += !walk.resolve->openSymbols.empty();
  }
  if (walk.optimize) counts.warnings += size(walk.optimize->warnings);
  if (walk.partition) {
    counts.warnings += size(walk.partition->warnings);
    counts.errors += walk.partition->unassignedNodes > 0;
    counts.notes += size(walk.partition->refusals);
  }
  if (walk.context) counts.warnings += size(walk.context->warnings);
  if (const auto report = document.accuracy().report()) counts.warnings += size(report->warnings);
  return counts;
}

QString nextStep(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNoSuchFile:
      return Words::tr("Check the path; files with weights must lie where the model names them.");
    case ErrorCode::kNoModel:
    case ErrorCode::kInvalidProtobuf:
      return Words::tr("The file is not an ONNX model, or is truncated: download or export it again.");
    case ErrorCode::kInvalidGraph:
      return Words::tr(
          "The model breaks a rule of ONNX at this place: fix the exporter, or edit the model and save it.");
    case ErrorCode::kNotImplemented:
      return Words::tr(
          "No kernel here knows this: try another provider, another opset or type, or cut the node off in Edit model.");
    case ErrorCode::kInvalidArgument:
      return Words::tr("Correct what the message names and try again.");
    case ErrorCode::kEpFail:
      return Words::tr("Take the provider out in what-if, or pin the node to another one, and try again.");
    case ErrorCode::kModelLoadCanceled:
      return Words::tr("It was cancelled: press F5 to run all stages again.");
    case ErrorCode::kModelRequiresCompilation:
      return Words::tr(
          "The model's settings ask for a compiled context: export one in the context stage, or change the setting.");
    case ErrorCode::kNotFound:
      return Words::tr("Look up the name in the graph; it may have been removed by an edit or an optimisation.");
    default:
      return Words::tr("Try again; if it comes back, copy this message with the model's name into a report.");
  }
}

QString problemText(const Problem& problem) {
  const QString severity = problem.severity == Problem::kError     ? Words::tr("error")
                           : problem.severity == Problem::kWarning ? Words::tr("warning")
                                                                   : Words::tr("note");
  QString words = QStringLiteral("%1, %2: %3").arg(severity, problem.stage, problem.message);
  if (!problem.where.isEmpty()) words += QStringLiteral(" (%1)").arg(problem.where);
  if (!problem.next.isEmpty()) words += QLatin1Char(' ') + problem.next;
  return words;
}

}  // namespace cutaway::ui
