// The cure: changes of the model that free the nodes which a provider refuses, searched, proved and applied to a copy.
#include "engine/study/cure/cure.h"

#include <QCoreApplication>
#include <QPushButton>

#include "ui/document/document.h"
#include "ui/panels/cure/cure_tables.h"
#include "ui/panels/study_panel.h"

namespace cutaway::ui {
namespace {

StudyJob::Outcome search(const StudyJob::Input& input, Progress& progress) {
  CUTAWAY_TRY(study::Cure cure, study::findCure({.source = input.source, .options = input.options, .provider = {}},
                                                input.table, progress));
  return std::make_shared<const study::Cure>(std::move(cure));
}

class CurePanel : public StudyPanel {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::CurePanel)

 public:
  CurePanel(const PanelContext& context, QWidget* parent)
      : StudyPanel(context, search, QStringLiteral("cure/proposals"), parent),
        m_apply(addButton(tr("Saves the model with the chosen change as a file of its own, and opens it"))),
        m_applyAll(addButton(tr("Saves the model with all proved changes as a file of its own, and opens it"))) {
    m_apply->setText(tr("Apply the chosen one \u2026"));
    m_applyAll->setProperty("primary", true);
    connect(m_apply, &QPushButton::clicked, this, [this] { apply(chosenRow()); });
    connect(m_applyAll, &QPushButton::clicked, this, [this] { apply(study::kAllSteps); });
    job()->requireProvider();
    begin(tr("Proposals"));
  }

 private:
  std::shared_ptr<const study::Cure> cure() const { return job()->result<study::Cure>(); }

  QString sentence() const override { return cureSentence(cure()->report); }
  ReportRows rows() const override { return cureRows(cure()); }

  void updateButtons(bool busy) override {
    const CureReport& report = cure()->report;
    m_applyAll->setVisible(!report.steps.empty());
    m_applyAll->setText(report.steps.size() > 1 ? tr("Apply all to a copy \u2026") : tr("Apply to a copy \u2026"));
    m_apply->setVisible(report.proposals.size() > 1);
    m_apply->setEnabled(!busy && chosenRow() >= 0);
  }

  EmptyWords emptyWords(bool busy, const QString& reason) const override {
    const QString icon = QStringLiteral("stage-partition");
    if (busy)
      return {icon,
              tr("The provider is being asked \u2026"),
              tr("Each question is about a changed copy of the model; cancelling leaves everything as it is."),
              {}};
    return {icon, tr("Why not all nodes?"),
            reason.isEmpty()
                ? tr("Looks for changes of the model that free the nodes which the first provider refuses: "
                     "asks it again about each, and compares the results with the original's.")
                : reason,
            tr("Find a cure")};
  }

  std::vector<NodeTarget> nodesOf(int row) const override {
    std::vector<NodeTarget> nodes;
    const GraphIndex* index = context().document->index(GraphVersion::kLoaded);
    if (!index) return nodes;
    for (const int32_t origin : cure()->report.proposals[static_cast<size_t>(row)].freedOrigins)
      for (const NodePlace& place : index->nodesOf(origin))
        nodes.push_back({GraphVersion::kLoaded, place.graph, place.node});
    return nodes;
  }

  void apply(int proposal) {
    const auto chosen = cure();
    if (!chosen) return;
    const QString file = askForCopy(QStringLiteral("cured"));
    if (!file.isEmpty()) showCopy(study::saveCured(*chosen, proposal, file.toStdString(), true), file);  // it has asked
  }

  QPushButton* m_apply;
  QPushButton* m_applyAll;
};

}  // namespace

const PanelDescriptor& panel_cure() {
  static const PanelDescriptor descriptor{.id = "cure",
                                          .title = QT_TRANSLATE_NOOP("Panel", "Cure"),
                                          .icon = "stage-partition",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBelow,
                                          .height = 36,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new CurePanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
