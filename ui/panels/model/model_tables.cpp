#include "ui/panels/model/model_tables.h"

#include <algorithm>

#include <QCoreApplication>

#include "ui/base/format.h"
#include "ui/base/partial_amount.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::ModelTables)
};

QString dash() {
  return QStringLiteral("\u2013");
}
QString known(int64_t amount, QString (*write)(int64_t)) {
  return amount < 0 ? dash() : write(amount);
}

// A value of one of the graphs.
struct ValuePlace {
  const ModelGraphs* graphs;
  int graph = 0;
  int value = 0;
  bool isOutput = false;
  const ValueReport& operator*() const {
    return graphs->graphs[static_cast<size_t>(graph)].values[static_cast<size_t>(value)];
  }
  int64_t sizeBytes() const { return (**this).sizeBytes; }
  int64_t readers() const { return static_cast<int64_t>((**this).consumers.size()); }
};

RowTarget targetOf(const ValuePlace& at) {
  return {{}, {at.graph, text((*at).name)}};
}
QString sizeOrDash(int64_t bytes) {
  return known(bytes, sizeText);
}

}  // namespace

ReportRows signatureRows(std::shared_ptr<const ModelGraphs> graphs) {
  using Values = ColumnOf<ValuePlace>;
  std::vector<ValuePlace> rows;
  if (graphs && !graphs->graphs.empty()) {
    for (const int32_t value : graphs->graphs[0].inputs)
      rows.push_back({graphs.get(), 0, value, false});
    for (const int32_t value : graphs->graphs[0].outputs)
      rows.push_back({graphs.get(), 0, value, true});
  }
  std::vector<Values> columns = {
      {.title = Words::tr("Name"), .text = [](const ValuePlace& at) { return (*at).name; }},
      {.title = Words::tr("Role"),
       .text =
           [](const ValuePlace& at) { return at.isOutput ? Words::tr("output") : text(valueRoleName((*at).role)); }},
      {.title = Words::tr("Type"),
       .text = [](const ValuePlace& at) { return (*at).elementType.empty() ? (*at).type : (*at).elementType; }},
      {.title = Words::tr("Shape"),
       .text =
           [](const ValuePlace& at) { return (*at).shape.empty() ? Words::tr("unknown") : shapeText((*at).shape); }},
      Values::figure(Words::tr("Size"), &ValuePlace::sizeBytes, sizeOrDash),
      Values::figure(Words::tr("Readers"), &ValuePlace::readers, countText)};
  return rowsOf<ValuePlace>(listOf(std::move(rows), graphs), std::move(columns), targetOf);
}

ReportRows initializerRows(std::shared_ptr<const ModelGraphs> graphs) {
  using Values = ColumnOf<ValuePlace>;
  std::vector<ValuePlace> rows;
  for (size_t g = 0; graphs && g < graphs->graphs.size(); ++g)
    for (size_t v = 0; v < graphs->graphs[g].values.size(); ++v)
      if (graphs->graphs[g].values[v].isInitializer)
        rows.push_back({graphs.get(), static_cast<int>(g), static_cast<int>(v), false});
  std::vector<Values> columns = {
      {.title = Words::tr("Name"), .text = [](const ValuePlace& at) { return (*at).name; }},
      {.title = Words::tr("Type"), .text = [](const ValuePlace& at) { return (*at).elementType; }},
      {.title = Words::tr("Shape"), .text = [](const ValuePlace& at) { return shapeText((*at).shape); }},
      Values::figure(Words::tr("Size"), &ValuePlace::sizeBytes, sizeOrDash),
      {.title = Words::tr("Role"), .text = [](const ValuePlace& at) { return valueRoleName((*at).role); }},
      Values::figure(Words::tr("Readers"), &ValuePlace::readers, countText),
      {.title = Words::tr("Stored in"),
       .text =
           [](const ValuePlace& at) {
             return (*at).external.empty() ? Words::tr("model file") : text((*at).external);
           }},
      {.title = Words::tr("First values"),
       .text = [](const ValuePlace& at) { return shortened(text((*at).preview), 80); }}};
  return rowsOf<ValuePlace>(listOf(std::move(rows), graphs), std::move(columns), targetOf);
}

ReportRows rollupRows(std::shared_ptr<const ModelRollup> sums, bool scopes) {
  using Rollup = ColumnOf<RollupRow>;
  if (!sums) sums = std::make_shared<const ModelRollup>();
  const std::vector<RollupRow>& list = scopes ? sums->scopes : sums->operators;
  int64_t most = 1;
  for (const RollupRow& row : list)
    most = std::max(most, row.sum.flops);
  std::vector<Rollup> columns = {
      {.title = scopes ? Words::tr("Scope") : Words::tr("Operator"), .text = &RollupRow::title},
      Rollup::figure(Words::tr("Nodes"), &RollupRow::nodes, countText),
      {.title = Words::tr("Operations"),
       .kind = Rollup::kNumber,
       .help = Words::tr("Floating point operations; a multiply and an add are two. Nodes whose operations are not "
                         "known are left out."),
       .text =
           [](const RollupRow& row) {
             return row.unknown == row.nodes ? dash() : partialAmount(workText(row.sum.flops), row.unknown > 0, false);
           },
       .key = [](const RollupRow& row) { return row.sum.flops; },
       .share =
           [most](const RollupRow& row) { return static_cast<double>(row.sum.flops) / static_cast<double>(most); }},
      {.title = Words::tr("Parameters"),
       .kind = Rollup::kNumber,
       .help = Words::tr("Elements of the float initializers that the nodes read"),
       .text = [](const RollupRow& row) { return row.sum.parameters > 0 ? countText(row.sum.parameters) : dash(); },
       .key = [](const RollupRow& row) { return row.sum.parameters; }},
      {.title = Words::tr("Weights"),
       .kind = Rollup::kNumber,
       .help = Words::tr("Bytes of the initializers that the nodes read"),
       .text = [](const RollupRow& row) { return row.sum.weightBytes > 0 ? sizeText(row.sum.weightBytes) : dash(); },
       .key = [](const RollupRow& row) { return row.sum.weightBytes; }},
      {.title = Words::tr("Moved"),
       .kind = Rollup::kNumber,
       .help = Words::tr("Bytes of activations read and written"),
       .text = [](const RollupRow& row) { return row.sum.movedBytes > 0 ? sizeText(row.sum.movedBytes) : dash(); },
       .key = [](const RollupRow& row) { return row.sum.movedBytes; }}};
  for (Rollup& column : columns)
    column.toolTip = [](const RollupRow& row) {
      return row.unknown > 0 ? Words::tr("Operations of %1 of %2 nodes are not known.")
                                   .arg(countText(row.unknown), countText(row.nodes))
                             : QString();
    };
  return rowsOf<RollupRow>(partOf(sums, list), std::move(columns));
}

ReportRows fileRows(std::shared_ptr<const LoadReport> load) {
  using Files = ColumnOf<ExternalFileReport>;
  if (!load) load = std::make_shared<const LoadReport>();
  return rowsOf<ExternalFileReport>(partOf(load, load->externalFiles),
                                    {{.title = Words::tr("File"), .text = &ExternalFileReport::path},
                                     Files::figure(Words::tr("Tensors"), &ExternalFileReport::tensorCount, countText),
                                     Files::figure(Words::tr("Used"), &ExternalFileReport::usedBytes, sizeText),
                                     Files::figure(Words::tr("Size"), &ExternalFileReport::fileBytes, sizeText)});
}

ReportRows functionRows(std::shared_ptr<const ModelGraphs> graphs) {
  using Functions = ColumnOf<int>;
  std::vector<int> rows;
  for (size_t g = 1; graphs && g < graphs->graphs.size(); ++g)
    if (!graphs->graphs[g].isInside) rows.push_back(static_cast<int>(g));
  const auto at = [graphs](int graph) -> const GraphReport& { return graphs->graphs[static_cast<size_t>(graph)]; };
  const auto count = [at](const QString& title, auto GraphReport::* list) {
    return Functions{.title = title, .kind = Functions::kNumber, .text = [at, list](const int& graph) {
                       return countText(static_cast<int64_t>((at(graph).*list).size()));
                     }};
  };
  std::vector<Functions> columns = {
      {.title = Words::tr("Graph"), .text = [at](const int& graph) { return at(graph).title; }},
      {.title = Words::tr("Name"), .text = [at](const int& graph) { return at(graph).name; }},
      count(Words::tr("Nodes"), &GraphReport::nodes),
      count(Words::tr("Inputs"), &GraphReport::inputs),
      count(Words::tr("Outputs"), &GraphReport::outputs)};
  return rowsOf<int>(std::move(rows), std::move(columns), [at](const int& graph) {
    return RowTarget{{GraphVersion::kLoaded, graph, at(graph).nodes.empty() ? kNone : 0}, {}};
  });
}

ReportRows opsetRows(std::shared_ptr<const LoadReport> load) {
  using Opset = std::pair<std::string, int64_t>;
  if (!load) load = std::make_shared<const LoadReport>();
  return rowsOf<Opset>(partOf(load, load->opsets),
                       {{.title = Words::tr("Domain"), .text = &Opset::first},
                        {.title = Words::tr("Version"), .kind = Column::kNumber, .text = [](const Opset& opset) {
                           return QString::number(opset.second);
                         }}});
}

ReportRows warningRows(std::shared_ptr<const LoadReport> load, std::shared_ptr<const ResolveReport> resolve,
                       std::shared_ptr<const ModelGraphs> graphs) {
  std::vector<ModelWarning> rows;
  for (size_t i = 0; load && i < load->warnings.size(); ++i)
    rows.push_back({{}, {}, load->warnings[i]});
  if (resolve) rows.insert(rows.end(), resolve->warnings.begin(), resolve->warnings.end());
  return rowsOf<ModelWarning>(
      std::move(rows),
      {{.title = Words::tr("Warning"), .text = [](const ModelWarning& warning) { return told(warning.message); }},
       {.title = Words::tr("Where"),
        .text = [](const ModelWarning& warning) { return warning.node.empty() ? warning.value : warning.node; }}},
      [graphs](const ModelWarning& warning) {
        return graphs ? targetNamed(*graphs, warning.node, warning.value) : RowTarget();
      });
}

RowTarget targetNamed(const ModelGraphs& graphs, const std::string& node, const std::string& value,
                      GraphVersion version) {
  for (size_t g = 0; g < graphs.graphs.size() && !node.empty(); ++g)
    for (size_t n = 0; n < graphs.graphs[g].nodes.size(); ++n)
      if (graphs.graphs[g].nodes[n].name == node) return {{version, static_cast<int>(g), static_cast<int>(n)}, {}};
  for (size_t g = 0; g < graphs.graphs.size() && !value.empty(); ++g)
    for (const ValueReport& each : graphs.graphs[g].values)
      if (each.name == value) return {{}, {static_cast<int>(g), text(value)}};
  return {};
}

}  // namespace cutaway::ui
