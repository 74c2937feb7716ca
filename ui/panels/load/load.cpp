// Load: what the file holds and what reading it cost.
#include "ui/base/format.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

class LoadPanel : public StagePanel {
 public:
  LoadPanel(const PanelContext& context, QWidget* parent) : StagePanel(context, QStringLiteral("load"), parent) {
    m_operators = addTable(tr("Operators"));
    m_phases = addTable(tr("Phases"));
    m_files = addTable(tr("External files"));
    m_metadata = addTable(tr("Metadata"));
    m_warnings = addTable(tr("Warnings"));
  }

 private:
  const void* source(const WalkReport& walk) const override { return walk.load.get(); }

  void fill(const WalkReport& walk) override {
    const auto load = walk.load;
    if (!load) {
      setFacts({});
      for (ReportModel* model : {m_operators, m_phases, m_files, m_metadata, m_warnings})
        model->present({});
      return;
    }
    QStringList opsets;
    for (const auto& [domain, version] : load->opsets)
      opsets << QStringLiteral("%1 %2").arg(text(domain)).arg(version);
    setFacts({{tr("File"), sizeText(load->fileBytes)},
              {tr("Format"), text(load->format) + tr(", IR %1").arg(load->irVersion)},
              {tr("Opsets"), opsets.join(QStringLiteral(", "))},
              {tr("Nodes, all graphs"), countText(load->nodeCount)},
              {tr("Weights"), tr("%1 in %2").arg(sizeText(load->initializerBytes), countText(load->initializerCount))},
              {tr("Parameters"), countText(load->parameterCount)},
              {tr("Made by"), load->producer.empty() ? QStringLiteral("\u2013") : text(load->producer)},
              {tr("Functions"), countText(static_cast<int64_t>(load->functions.size()))},
              {tr("Time"), timeText(load->timeNs)}});
    setNote(shortened(text(load->documentation).simplified(), 300));
    fillTables(load);
  }

  void fillTables(const std::shared_ptr<const LoadReport>& load) {
    m_operators->present({.columns = {{tr("Operator")}, {tr("Nodes"), Column::kNumber}, {tr("Share"), Column::kNumber}},
                          .rows = static_cast<int>(load->operators.size()),
                          .cell =
                              [load](int row, int column) {
                                const auto& [name, count] = load->operators[row];
                                return column == 0 ? text(name)
                                       : column == 1
                                           ? countText(count)
                                           : percentText(load->nodeCount ? static_cast<double>(count) /
                                                                               static_cast<double>(load->nodeCount)
                                                                         : 0);
                              },
                          .sortKey =
                              [load](int row, int column) {
                                return column == 0 ? QVariant() : QVariant(qlonglong(load->operators[row].second));
                              }});
    m_phases->present({.columns = {{tr("Phase")}, {tr("Time"), Column::kNumber}, {tr("Memory added"), Column::kNumber}},
                       .rows = static_cast<int>(load->phases.size()),
                       .cell =
                           [load](int row, int column) {
                             const PhaseReport& phase = load->phases[row];
                             return column == 0   ? text(phase.name)
                                    : column == 1 ? timeText(phase.timeNs)
                                    : phase.bytes ? sizeText(phase.bytes)
                                                  : QStringLiteral("\u2013");
                           },
                       .sortKey =
                           [load](int row, int column) {
                             return column == 0 ? QVariant()
                                                : QVariant(qlonglong(column == 1 ? load->phases[row].timeNs
                                                                                 : load->phases[row].bytes));
                           }});
    m_files->present({.columns = {{tr("File")},
                                  {tr("Tensors"), Column::kNumber},
                                  {tr("Used"), Column::kNumber},
                                  {tr("Size"), Column::kNumber}},
                      .rows = static_cast<int>(load->externalFiles.size()),
                      .cell = [load](int row, int column) {
                        const ExternalFileReport& file = load->externalFiles[row];
                        return column == 0   ? text(file.path)
                               : column == 1 ? countText(file.tensorCount)
                                             : sizeText(column == 2 ? file.usedBytes : file.fileBytes);
                      }});
    m_metadata->present({.columns = {{tr("Key")}, {tr("Value")}},
                         .rows = static_cast<int>(load->metadata.size()),
                         .cell = [load](int row, int column) {
                           return text(column == 0 ? load->metadata[row].first : load->metadata[row].second);
                         }});
    m_warnings->present({.columns = {{tr("Warning")}},
                         .rows = static_cast<int>(load->warnings.size()),
                         .cell = [load](int row, int) { return text(load->warnings[row]); }});
    setTabShown(2, !load->externalFiles.empty());
    setTabShown(3, !load->metadata.empty());
    setTabShown(4, !load->warnings.empty());
  }

  ReportModel* m_operators;
  ReportModel* m_phases;
  ReportModel* m_files;
  ReportModel* m_metadata;
  ReportModel* m_warnings;
};

}  // namespace

const PanelDescriptor& panel_load() {
  static const PanelDescriptor descriptor{.id = "load",
                                          .title = "Load",
                                          .icon = "stage-load",
                                          .area = PanelArea::kStage,
                                          .stage = Stage::kLoad,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new LoadPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
