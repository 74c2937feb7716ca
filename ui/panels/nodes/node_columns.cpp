#include "ui/panels/nodes/node_columns.h"

#include <array>

#include <QCoreApplication>

#include "ui/base/format.h"
#include "ui/base/partial_amount.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

QString written(double figure, QString (*write)(int64_t)) {
  return write(static_cast<int64_t>(figure));
}
QString workWords(double flops) {
  return written(flops, workText);
}
QString sizeWords(double bytes) {
  return written(bytes, sizeText);
}
QString timeWords(double ns) {
  return written(ns, timeText);
}
QString errorWords(double error) {
  return error == 0 ? QStringLiteral("0") : QString::number(error, 'g', 2);
}

template <auto kFacts>
std::string_view factOf(const KnownNode& node) {
  return node.fact(kFacts);
}
template <auto kFacts>
double amountOf(const KnownNode& node) {
  return node.amount(kFacts);
}
template <auto kTotal>
double totalOf(const NodeTotals& totals) {
  return static_cast<double>(totals.*kTotal);
}

double errorOf(const KnownNode& node) {
  const auto place = static_cast<size_t>(node.node);
  return node.facts && place < node.facts->error.size() ? node.facts->error[place] : -1;
}
std::string_view typeOf(const KnownNode& node) {
  const ValueReport* output = node.firstOutput();
  return output ? std::string_view(output->elementType) : std::string_view();
}
std::string_view shapeOf(const KnownNode& node) {
  const ValueReport* output = node.firstOutput();
  return output ? std::string_view(output->shape) : std::string_view();
}
std::string_view domainOf(const KnownNode& node) {
  return node.report().domain.empty() ? std::string_view("ai.onnx") : std::string_view(node.report().domain);
}

// What a node is and where it runs.
constexpr NodeColumn kNameColumn = {.title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Node"),
                                    .widthCharacters = 34,
                                    .words = [](const KnownNode& node) { return std::string_view(node.report().name); },
                                    .show = [](const KnownNode& node) { return nodeTitle(node.graph, node.node); },
                                    .hasToolTip = true};
constexpr NodeColumn kOperatorColumn = {
    .title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Operator"),
    .widthCharacters = 20,
    .words = [](const KnownNode& node) { return std::string_view(node.report().opType); },
    .show = [](const KnownNode& node) { return operatorText(node.report()); }};
constexpr NodeColumn kNodesColumn = {.title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Nodes"),
                                     .figure = [](const KnownNode&) { return 1.0; },
                                     .sum = totalOf<&NodeTotals::nodes>,
                                     .show = [](const KnownNode&) { return QString(); }};
constexpr NodeColumn kProviderColumn = {.title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Provider"),
                                        .words = factOf<&NodeFacts::provider>};
constexpr NodeColumn kTypeColumn = {
    .title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Type"),
    .help = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Element type of the first output"),
    .words = typeOf};
constexpr NodeColumn kShapeColumn = {.title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Shape"),
                                     .help = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Shape of the first output"),
                                     .words = shapeOf,
                                     .show = [](const KnownNode& node) { return shapeText(shapeOf(node)); }};

// What it costs.
constexpr NodeColumn kParametersColumn = {
    .title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Parameters"),
    .help = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Elements of the initializers that it reads"),
    .figure = amountOf<&NodeFacts::parameters>,
    .sum = totalOf<&NodeTotals::parameters>};
constexpr NodeColumn kFlopsColumn = {
    .title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "FLOPs"),
    .help = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel",
                              "Floating point operations by operator and shapes; a multiply and an add are two"),
    .figure = amountOf<&NodeFacts::flops>,
    .sum = totalOf<&NodeTotals::flops>,
    .open = &NodeTotals::openFlops,
    .write = workWords};
constexpr NodeColumn kWeightsColumn = {
    .title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Weights"),
    .help = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Bytes of initializers that it reads"),
    .figure = amountOf<&NodeFacts::weightBytes>,
    .sum = totalOf<&NodeTotals::weights>,
    .write = sizeWords};
constexpr NodeColumn kMovedColumn = {
    .title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Bytes moved"),
    .help = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Activations read and written, each once"),
    .figure = amountOf<&NodeFacts::movedBytes>,
    .sum = totalOf<&NodeTotals::moved>,
    .open = &NodeTotals::openMoved,
    .write = sizeWords};
constexpr NodeColumn kMemoryColumn = {.title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Output"),
                                      .help = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Bytes of its outputs"),
                                      .figure = amountOf<&NodeFacts::outputBytes>,
                                      .sum = totalOf<&NodeTotals::memory>,
                                      .open = &NodeTotals::openMemory,
                                      .write = sizeWords};
constexpr NodeColumn kTimeColumn = {
    .title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Time"),
    .help = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel",
                              "Measured, median of the runs; of nodes fused into one step the first has it"),
    .figure = amountOf<&NodeFacts::timeNs>,
    .sum = [](const NodeTotals& totals) { return totals.timed ? static_cast<double>(totals.timeNs) : -1; },
    .write = timeWords};
constexpr NodeColumn kErrorColumn = {
    .title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Error"),
    .help = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Largest relative error of the accuracy comparison"),
    .figure = errorOf,
    .sum = totalOf<&NodeTotals::error>,
    .write = errorWords};

// Where it comes from and goes.
constexpr NodeColumn kStepColumn = {.title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Step"),
                                    .help = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "In the execution order"),
                                    .figure = amountOf<&NodeFacts::step>};
constexpr NodeColumn kPassColumn = {
    .title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Pass"),
    .help = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Optimisation pass that made or changed it"),
    .widthCharacters = 20,
    .words = factOf<&NodeFacts::rewrite>};
constexpr NodeColumn kGroupColumn = {.title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Compiled group"),
                                     .widthCharacters = 20,
                                     .words = factOf<&NodeFacts::group>};
constexpr NodeColumn kRefusalColumn = {
    .title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Refused because"),
    .help = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "What the first provider said"),
    .widthCharacters = 30,
    .words = factOf<&NodeFacts::refusal>,
    .hasToolTip = true};
constexpr NodeColumn kDomainColumn = {.title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Domain"),
                                      .words = domainOf};
constexpr NodeColumn kGraphColumn = {.title = QT_TRANSLATE_NOOP("cutaway::ui::NodesModel", "Graph"),
                                     .widthCharacters = 30,
                                     .words = [](const KnownNode& node) { return std::string_view(node.graph.title); }};

// In the order of NodeColumns::Index.
constexpr std::array<const NodeColumn*, NodeColumns::kColumnCount> kColumns = {
    &kNameColumn,  &kOperatorColumn, &kNodesColumn,   &kProviderColumn, &kTypeColumn, &kShapeColumn, &kParametersColumn,
    &kFlopsColumn, &kWeightsColumn,  &kMovedColumn,   &kMemoryColumn,   &kTimeColumn, &kStepColumn,  &kErrorColumn,
    &kPassColumn,  &kGroupColumn,    &kRefusalColumn, &kDomainColumn,   &kGraphColumn};

}  // namespace

const ValueReport* KnownNode::firstOutput() const {
  for (const int32_t value : report().outputs)
    if (value >= 0) return &graph.values[static_cast<size_t>(value)];
  return nullptr;
}

std::string_view KnownNode::fact(const std::vector<SharedText> NodeFacts::* column) const {
  const auto place = static_cast<size_t>(node);
  return facts && place < (facts->*column).size() ? std::string_view((facts->*column)[place]) : std::string_view();
}

double KnownNode::amount(const std::vector<int64_t> NodeFacts::* column) const {
  const auto place = static_cast<size_t>(node);
  return facts && place < (facts->*column).size() ? static_cast<double>((facts->*column)[place]) : -1;
}

const NodeColumn& nodeColumn(int index) {
  return *kColumns[static_cast<size_t>(index)];
}

QString figureText(const NodeColumn& column, double figure) {
  if (figure < 0) return {};
  return column.write ? column.write(figure) : countText(static_cast<int64_t>(figure));
}

NodeTotals weightsCountedOnce(NodeTotals sums, const WalkReport& walk, GraphVersion version) {
  // Weights that went into compiled groups stand in the graph that providers were asked about.
  if (version == GraphVersion::kPartitioned) version = GraphVersion::kOptimized;
  const auto& graphs = graphsOf(walk, version);
  NodeTotals once = sums;
  once.parameters = once.weights = 0;
  for (size_t g = 0; graphs && g < graphs->graphs.size(); ++g) {
    const GraphCosts* costs = costsOf(walk, version, static_cast<int>(g));
    if (!costs) return sums;
    once.parameters += costs->total.parameters;
    once.weights += costs->total.weightBytes;
  }
  return graphs ? once : sums;
}

QString sumText(const NodeColumn& column, const NodeTotals& totals) {
  const double sum = column.sum(totals);
  return partialAmount(figureText(column, sum), column.open && totals.*column.open > 0, sum == 0);
}

}  // namespace cutaway::ui
