#include "ui/panels/model/model_tables.h"

#include <algorithm>

#include <QCoreApplication>

#include "ui/base/format.h"

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

struct ValueRow {
  int graph = 0;
  int value = 0;
};

const ValueReport& valueOf(const ModelGraphs& graphs, const ValueRow& row) {
  return graphs.graphs[static_cast<size_t>(row.graph)].values[static_cast<size_t>(row.value)];
}
RowTarget targetOf(const ModelGraphs& graphs, const ValueRow& row) {
  return {{}, {row.graph, text(valueOf(graphs, row).name)}};
}

QString roleWords(const ValueReport& value, bool output) {
  return output ? Words::tr("output") : text(valueRoleName(value.role));
}

}  // namespace

ReportRows signatureRows(std::shared_ptr<const ModelGraphs> graphs) {
  auto rows = std::make_shared<std::vector<std::pair<ValueRow, bool>>>();
  if (graphs && !graphs->graphs.empty()) {
    for (const int32_t value : graphs->graphs[0].inputs)
      rows->push_back({{0, value}, false});
    for (const int32_t value : graphs->graphs[0].outputs)
      rows->push_back({{0, value}, true});
  }
  return {.columns = {{Words::tr("Name")},
                      {Words::tr("Role")},
                      {Words::tr("Type")},
                      {Words::tr("Shape")},
                      {Words::tr("Size"), Column::kNumber},
                      {Words::tr("Readers"), Column::kNumber}},
          .rows = static_cast<int>(rows->size()),
          .cell = [graphs, rows](int row, int column) -> QString {
            const auto& [place, output] = (*rows)[static_cast<size_t>(row)];
            const ValueReport& value = valueOf(*graphs, place);
            switch (column) {
              case 0:
                return text(value.name);
              case 1:
                return roleWords(value, output);
              case 2:
                return text(value.elementType.empty() ? value.type : value.elementType);
              case 3:
                return value.shape.empty() ? Words::tr("unknown") : shapeText(value.shape);
              case 4:
                return known(value.sizeBytes, sizeText);
              default:
                return countText(static_cast<int64_t>(value.consumers.size()));
            }
          },
          .sortKey = [graphs, rows](int row, int column) -> QVariant {
            const ValueReport& value = valueOf(*graphs, (*rows)[static_cast<size_t>(row)].first);
            return column == 4   ? QVariant(qlonglong(value.sizeBytes))
                   : column == 5 ? QVariant(qlonglong(value.consumers.size()))
                                 : QVariant();
          },
          .target = [graphs, rows](int row) { return targetOf(*graphs, (*rows)[static_cast<size_t>(row)].first); }};
}

ReportRows initializerRows(std::shared_ptr<const ModelGraphs> graphs) {
  auto rows = std::make_shared<std::vector<ValueRow>>();
  for (size_t g = 0; graphs && g < graphs->graphs.size(); ++g)
    for (size_t v = 0; v < graphs->graphs[g].values.size(); ++v)
      if (graphs->graphs[g].values[v].isInitializer) rows->push_back({static_cast<int>(g), static_cast<int>(v)});
  return {.columns = {{Words::tr("Name")},
                      {Words::tr("Type")},
                      {Words::tr("Shape")},
                      {Words::tr("Size"), Column::kNumber},
                      {Words::tr("Role")},
                      {Words::tr("Readers"), Column::kNumber},
                      {Words::tr("Stored in")},
                      {Words::tr("First values")}},
          .rows = static_cast<int>(rows->size()),
          .cell = [graphs, rows](int row, int column) -> QString {
            const ValueReport& value = valueOf(*graphs, (*rows)[static_cast<size_t>(row)]);
            switch (column) {
              case 0:
                return text(value.name);
              case 1:
                return text(value.elementType);
              case 2:
                return shapeText(value.shape);
              case 3:
                return known(value.sizeBytes, sizeText);
              case 4:
                return text(valueRoleName(value.role));
              case 5:
                return countText(static_cast<int64_t>(value.consumers.size()));
              case 6:
                return value.external.empty() ? Words::tr("model file") : text(value.external);
              default:
                return shortened(text(value.preview), 80);
            }
          },
          .sortKey = [graphs, rows](int row, int column) -> QVariant {
            const ValueReport& value = valueOf(*graphs, (*rows)[static_cast<size_t>(row)]);
            return column == 3   ? QVariant(qlonglong(value.sizeBytes))
                   : column == 5 ? QVariant(qlonglong(value.consumers.size()))
                                 : QVariant();
          },
          .target = [graphs, rows](int row) { return targetOf(*graphs, (*rows)[static_cast<size_t>(row)]); }};
}

ReportRows rollupRows(std::shared_ptr<const ModelRollup> sums, bool scopes) {
  const auto list = [sums, scopes]() -> const std::vector<RollupRow>& {
    return scopes ? sums->scopes : sums->operators;
  };
  int64_t most = 1;
  for (size_t i = 0; sums && i < list().size(); ++i)
    most = std::max(most, list()[i].sum.flops);
  return {
      .columns = {{scopes ? Words::tr("Scope") : Words::tr("Operator")},
                  {Words::tr("Nodes"), Column::kNumber},
                  {Words::tr("Operations"), Column::kNumber,
                   Words::tr("Floating point operations; a multiply and an add are two. Nodes whose operations are not "
                             "known are left out.")},
                  {Words::tr("Parameters"), Column::kNumber,
                   Words::tr("Elements of the float initializers that the nodes read")},
                  {Words::tr("Weights"), Column::kNumber, Words::tr("Bytes of the initializers that the nodes read")},
                  {Words::tr("Moved"), Column::kNumber, Words::tr("Bytes of activations read and written")}},
      .rows = sums ? static_cast<int>(list().size()) : 0,
      .cell = [list](int index, int column) -> QString {
        const RollupRow& row = list()[static_cast<size_t>(index)];
        const bool open = row.unknown == row.nodes;
        switch (column) {
          case 0:
            return row.title;
          case 1:
            return countText(row.nodes);
          case 2:
            return open ? dash() : workText(row.sum.flops) + (row.unknown > 0 ? QStringLiteral(" +") : QString());
          case 3:
            return row.sum.parameters > 0 ? countText(row.sum.parameters) : dash();
          case 4:
            return row.sum.weightBytes > 0 ? sizeText(row.sum.weightBytes) : dash();
          default:
            return row.sum.movedBytes > 0 ? sizeText(row.sum.movedBytes) : dash();
        }
      },
      .sortKey = [list](int index, int column) -> QVariant {
        const RollupRow& row = list()[static_cast<size_t>(index)];
        const int64_t keys[] = {
            0, row.nodes, row.sum.flops, row.sum.parameters, row.sum.weightBytes, row.sum.movedBytes};
        return column == 0 ? QVariant() : QVariant(qlonglong(keys[column]));
      },
      .toolTip =
          [list](int index, int) {
            const RollupRow& row = list()[static_cast<size_t>(index)];
            return row.unknown > 0 ? Words::tr("Operations of %1 of %2 nodes are not known.")
                                         .arg(countText(row.unknown), countText(row.nodes))
                                   : QString();
          },
      .share = [list, most](int index, int column) -> QVariant {
        if (column != 2) return {};
        return static_cast<double>(list()[static_cast<size_t>(index)].sum.flops) / static_cast<double>(most);
      }};
}

ReportRows fileRows(std::shared_ptr<const LoadReport> load) {
  return {.columns = {{Words::tr("File")},
                      {Words::tr("Tensors"), Column::kNumber},
                      {Words::tr("Used"), Column::kNumber},
                      {Words::tr("Size"), Column::kNumber}},
          .rows = load ? static_cast<int>(load->externalFiles.size()) : 0,
          .cell =
              [load](int row, int column) {
                const ExternalFileReport& file = load->externalFiles[static_cast<size_t>(row)];
                return column == 0   ? text(file.path)
                       : column == 1 ? countText(file.tensorCount)
                                     : sizeText(column == 2 ? file.usedBytes : file.fileBytes);
              },
          .sortKey = [load](int row, int column) -> QVariant {
            const ExternalFileReport& file = load->externalFiles[static_cast<size_t>(row)];
            return column == 0 ? QVariant()
                               : QVariant(qlonglong(column == 1   ? file.tensorCount
                                                    : column == 2 ? file.usedBytes
                                                                  : file.fileBytes));
          }};
}

ReportRows functionRows(std::shared_ptr<const ModelGraphs> graphs) {
  auto rows = std::make_shared<std::vector<int>>();
  for (size_t g = 1; graphs && g < graphs->graphs.size(); ++g)
    if (!graphs->graphs[g].isInside) rows->push_back(static_cast<int>(g));
  return {.columns = {{Words::tr("Graph")},
                      {Words::tr("Name")},
                      {Words::tr("Nodes"), Column::kNumber},
                      {Words::tr("Inputs"), Column::kNumber},
                      {Words::tr("Outputs"), Column::kNumber}},
          .rows = static_cast<int>(rows->size()),
          .cell =
              [graphs, rows](int row, int column) {
                const GraphReport& graph = graphs->graphs[static_cast<size_t>((*rows)[static_cast<size_t>(row)])];
                if (column < 2) return text(column == 0 ? graph.title : graph.name);
                return countText(static_cast<int64_t>(column == 2   ? graph.nodes.size()
                                                      : column == 3 ? graph.inputs.size()
                                                                    : graph.outputs.size()));
              },
          .target =
              [graphs, rows](int row) {
                const int graph = (*rows)[static_cast<size_t>(row)];
                return RowTarget{{GraphVersion::kLoaded, graph,
                                  graphs->graphs[static_cast<size_t>(graph)].nodes.empty() ? kNone : 0},
                                 {}};
              }};
}

ReportRows opsetRows(std::shared_ptr<const LoadReport> load) {
  return {.columns = {{Words::tr("Domain")}, {Words::tr("Version"), Column::kNumber}},
          .rows = load ? static_cast<int>(load->opsets.size()) : 0,
          .cell = [load](int row, int column) {
            return column == 0 ? text(load->opsets[static_cast<size_t>(row)].first)
                               : QString::number(load->opsets[static_cast<size_t>(row)].second);
          }};
}

ReportRows warningRows(std::shared_ptr<const LoadReport> load, std::shared_ptr<const ResolveReport> resolve,
                       std::shared_ptr<const ModelGraphs> graphs) {
  auto rows = std::make_shared<std::vector<ModelWarning>>();
  for (size_t i = 0; load && i < load->warnings.size(); ++i)
    rows->push_back({{}, {}, load->warnings[i]});
  if (resolve) rows->insert(rows->end(), resolve->warnings.begin(), resolve->warnings.end());
  return {.columns = {{Words::tr("Warning")}, {Words::tr("Where")}},
          .rows = static_cast<int>(rows->size()),
          .cell =
              [rows](int row, int column) {
                const ModelWarning& warning = (*rows)[static_cast<size_t>(row)];
                return text(column == 0 ? warning.message : warning.node.empty() ? warning.value : warning.node);
              },
          .target =
              [rows, graphs](int row) {
                return graphs ? targetNamed(*graphs, (*rows)[static_cast<size_t>(row)].node,
                                            (*rows)[static_cast<size_t>(row)].value)
                              : RowTarget();
              }};
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
