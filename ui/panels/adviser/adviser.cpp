// The adviser: what to change in settings or model, each tried, with the change one click away.
#include <QCoreApplication>
#include <QPushButton>

#include "engine/session/configuration/configuration.h"
#include "engine/study/advise/advise.h"
#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"
#include "ui/panels/adviser/advice_tables.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/study_panel.h"

namespace cutaway::ui {
namespace {

StudyJob::Outcome search(const StudyJob::Input& input, Progress& progress) {
  CUTAWAY_TRY(study::Advised advised,
              study::advise({.source = input.source, .options = input.options}, input.table, progress));
  return std::make_shared<const study::Advised>(std::move(advised));
}

class AdviserPanel : public StudyPanel {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::AdviserPanel)

 public:
  AdviserPanel(const PanelContext& context, QWidget* parent)
      : StudyPanel(context, search, QStringLiteral("adviser/advice"), parent),
        m_apply(addButton(tr("Makes the chosen settings those of the session, or saves a changed copy of the model"))) {
    m_apply->setProperty("primary", true);
    connect(m_apply, &QPushButton::clicked, this, &AdviserPanel::apply);
    begin(tr("Advice"));
  }

 private:
  std::shared_ptr<const study::Advised> advised() const { return job()->result<study::Advised>(); }
  const Advice* chosen() const {
    const auto result = advised();
    const int row = chosenRow();
    return result && row >= 0 ? &result->report.advice[static_cast<size_t>(row)] : nullptr;
  }

  QString sentence() const override { return adviceSentence(advised()->report); }
  ReportRows rows() const override { return adviceRows(advised()); }

  void updateButtons(bool busy) override {
    const Advice* advice = chosen();
    m_apply->setVisible(!advised()->report.advice.empty());
    m_apply->setText(advice && advice->settings.empty() ? tr("Apply to a copy \u2026") : tr("Apply"));
    // Settings are changes of those that were walked: on top of others they are another change.
    m_apply->setEnabled(!busy && advice != nullptr && !job()->stale());
  }

  EmptyWords emptyWords(bool busy, const QString& reason) const override {
    const QString icon = QStringLiteral("find");
    if (busy)
      return {
          icon, tr("Changes are being tried \u2026"), tr("Each re-runs the analysis; cancelling changes nothing."), {}};
    return {icon, tr("What should I change?"),
            reason.isEmpty() ? tr("Tries settings, and changes of the model where nodes are refused, and shows those "
                                  "that save memory, copies, groups or nodes.")
                             : reason,
            tr("Ask the adviser")};
  }

  std::vector<NodeTarget> nodesOf(int row) const override {
    std::vector<NodeTarget> nodes;
    const Advice& advice = advised()->report.advice[static_cast<size_t>(row)];
    const GraphIndex* index = context().document->index(GraphVersion::kLoaded);
    if (!index || advice.proposal < 0) return nodes;
    const CureProposal& proposal = advised()->cure->report.proposals[static_cast<size_t>(advice.proposal)];
    for (const int32_t origin : proposal.freedOrigins)
      for (const NodePlace& place : index->nodesOf(origin))
        nodes.push_back({GraphVersion::kLoaded, place.graph, place.node});
    return nodes;
  }

  void apply() {
    const Advice* advice = chosen();
    if (!advice) return;
    if (!advice->settings.empty()) return applySettings(*advice);
    const QString file = askForCopy(QStringLiteral("advised"));
    if (file.isEmpty()) return;
    const int which = advice->allSteps ? study::kAllSteps : advice->proposal;
    showCopy(study::saveCured(*advised()->cure, which, file.toStdString(), true), file);  // the dialog has asked
  }

  void applySettings(const Advice& advice) {
    session::SessionOptions options = context().document->options();
    const auto change = session::readConfiguration(advice.settings);
    const Result<void> applied = change ? change->applyTo(options, context().document->service().host().providers)
                                        : Result<void>(fail(change.error()));
    if (!applied) {
      emit context().actions -> message(told(applied.error()));
      return;
    }
    const QString title = text(advice.title);
    context().document->setOptions(options);
    emit context().actions -> message(tr("Applied: %1").arg(title));
  }

  QPushButton* m_apply;
};

}  // namespace

const PanelDescriptor& panel_adviser() {
  static const PanelDescriptor descriptor{.id = "adviser",
                                          .title = QT_TRANSLATE_NOOP("Panel", "Adviser"),
                                          .icon = "find",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBelow,
                                          .height = 36,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new AdviserPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
