// Load: what the file holds and what reading it cost.
#include "ui/base/format.h"
#include "ui/document/window_words.h"
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
              {tr("Producer"), load->producer.empty() ? QStringLiteral("\u2013") : text(load->producer)},
              {tr("Functions"), countText(static_cast<int64_t>(load->functions.size()))},
              {tr("Time"), timeText(load->timeNs)}});
    setNote(shortened(text(load->documentation).simplified(), 300));
    fillTables(load);
  }

  void fillTables(const std::shared_ptr<const LoadReport>& load) {
    using Operator = std::pair<std::string, int64_t>;
    using Operators = ColumnOf<Operator>;
    m_operators->present(rowsOf<Operator>(
        partOf(load, load->operators),
        {{.title = tr("Operator"), .text = &Operator::first},
         Operators::figure(tr("Nodes"), &Operator::second, countText),
         {.title = tr("Share"),
          .kind = Operators::kNumber,
          .text =
              [load](const Operator& row) {
                return percentText(
                    load->nodeCount ? static_cast<double>(row.second) / static_cast<double>(load->nodeCount) : 0);
              },
          .key = &Operator::second}}));
    m_phases->present(rowsOf<PhaseReport>(
        partOf(load, load->phases),
        {{.title = tr("Phase"), .text = &PhaseReport::name},
         ColumnOf<PhaseReport>::figure(tr("Time"), &PhaseReport::timeNs, timeText),
         {.title = tr("Memory added"),
          .kind = Column::kNumber,
          .text =
              [](const PhaseReport& phase) { return phase.bytes ? sizeText(phase.bytes) : QStringLiteral("\u2013"); },
          .key = &PhaseReport::bytes}}));
    m_files->present(rowsOf<ExternalFileReport>(
        partOf(load, load->externalFiles),
        {{.title = tr("File"), .text = &ExternalFileReport::path},
         {.title = tr("Tensors"),
          .kind = Column::kNumber,
          .text = [](const ExternalFileReport& file) { return countText(file.tensorCount); }},
         {.title = tr("Used"),
          .kind = Column::kNumber,
          .text = [](const ExternalFileReport& file) { return sizeText(file.usedBytes); }},
         {.title = tr("Size"), .kind = Column::kNumber, .text = [](const ExternalFileReport& file) {
            return sizeText(file.fileBytes);
          }}}));
    using Entry = std::pair<std::string, std::string>;
    m_metadata->present(rowsOf<Entry>(partOf(load, load->metadata), {{.title = tr("Key"), .text = &Entry::first},
                                                                     {.title = tr("Value"), .text = &Entry::second}}));
    m_warnings->present(rowsOf<std::string>(
        partOf(load, load->warnings),
        {{.title = tr("Warning"), .text = [](const std::string& warning) { return told(warning); }}}));
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
