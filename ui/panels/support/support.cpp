// The support matrix: this model against every profile and real provider at a glance.
#include <algorithm>

#include <QCoreApplication>
#include <QPushButton>

#include "engine/study/support/support_matrix.h"
#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/study_panel.h"
#include "ui/panels/support/support_tables.h"

namespace cutaway::ui {
namespace {

StudyJob::Outcome ask(const StudyJob::Input& input, Progress& progress) {
  CUTAWAY_TRY(
      SupportReport report,
      study::supportMatrix({.source = input.source, .options = input.options, .providers = {}}, input.table, progress));
  return std::make_shared<const SupportReport>(std::move(report));
}

class SupportPanel : public StudyPanel {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::SupportPanel)

 public:
  SupportPanel(const PanelContext& context, QWidget* parent)
      : StudyPanel(context, ask, QStringLiteral("support/rows"), parent),
        m_use(addButton(tr("Makes the chosen provider the first of this model's list"))) {
    m_use->setText(tr("Put it first"));
    connect(m_use, &QPushButton::clicked, this, &SupportPanel::putFirst);
    begin(tr("Support by provider"));
  }

 private:
  std::shared_ptr<const SupportReport> report() const { return job()->result<SupportReport>(); }
  const SupportRow* chosen() const {
    const auto shown = report();
    const int row = chosenRow();
    return shown && row >= 0 ? &shown->rows[static_cast<size_t>(row)] : nullptr;
  }

  QString sentence() const override { return supportSentence(*report()); }
  ReportRows rows() const override { return supportRows(report()); }
  std::vector<NodeTarget> nodesOf(int) const override { return {}; }

  void updateButtons(bool busy) override {
    const SupportRow* row = chosen();
    m_use->setEnabled(!busy && row && row->usable && !context().document->service().busy());
  }

  EmptyWords emptyWords(bool busy, const QString& reason) const override {
    const QString icon = QStringLiteral("stage-partition");
    if (busy)
      return {icon,
              tr("Providers are being asked \u2026"),
              tr("Each is asked about every node; nothing is compiled or run."),
              {}};
    return {icon, tr("Where would this model run?"),
            reason.isEmpty() ? tr("Asks every provider and every support profile which nodes of this model it takes.")
                             : reason,
            tr("Ask all providers")};
  }

  void putFirst() {
    const SupportRow* row = chosen();
    if (!row) return;
    const std::string provider = row->provider;
    session::SessionOptions options = context().document->options();
    std::erase(options.providers, provider);
    options.providers.insert(options.providers.begin(), provider);
    context().document->setOptions(options);
    emit context().actions -> message(tr("%1 is asked first now.").arg(text(provider)));
  }

  QPushButton* m_use;
};

}  // namespace

const PanelDescriptor& panel_support() {
  static const PanelDescriptor descriptor{.id = "support",
                                          .title = QT_TRANSLATE_NOOP("Panel", "Support matrix"),
                                          .icon = "stage-partition",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBelow,
                                          .height = 36,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new SupportPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
