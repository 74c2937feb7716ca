// Weight sharing: several models compiled one after the other, with one binary for all.
#include <QBoxLayout>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMutex>
#include <QPushButton>

#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/document/offered_providers.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/sharing/sharing_form.h"
#include "ui/panels/study_panel.h"

namespace cutaway::ui {
namespace {

// What the next start is to do: written by the panel, read by the study's thread.
class NextWish {
 public:
  void set(SharingWish wish) {
    const QMutexLocker lock(&m_mutex);
    m_wish = std::move(wish);
  }
  SharingWish get() const {
    const QMutexLocker lock(&m_mutex);
    return m_wish;
  }

 private:
  mutable QMutex m_mutex;
  SharingWish m_wish;
};

StudyJob::Study shareAs(const std::shared_ptr<const NextWish>& wish) {
  return [wish](const StudyJob::Input& input, Progress& progress) -> StudyJob::Outcome {
    CUTAWAY_TRY(const compile::ShareRequest request, sharingRequest(wish->get(), input.options));
    CUTAWAY_TRY(ContextWritten written, compile::compileShared(request, input.table, progress));
    return std::make_shared<const ContextWritten>(std::move(written));
  };
}

class SharingPanel : public StudyPanel {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::SharingPanel)

 public:
  SharingPanel(const PanelContext& context, QWidget* parent)
      : SharingPanel(context, std::make_shared<NextWish>(), parent) {}

 private:
  SharingPanel(const PanelContext& context, std::shared_ptr<NextWish> wish, QWidget* parent)
      : StudyPanel(context, shareAs(wish), QStringLiteral("sharing/files"), parent),
        m_wish(std::move(wish)),
        m_form(new SharingForm(offeredProviders(context.document->service().host().providers))),
        m_copy(addButton(tr("The command of ep_weight_sharing_ctx_gen that does the same beside the models"))) {
    m_copy->setText(tr("Copy command"));
    column()->insertWidget(0, m_form);
    setAgainText(tr("Compile again"));
    connect(m_copy, &QPushButton::clicked, this, &SharingPanel::copyCommand);
    connect(m_form, &SharingForm::changed, this, &SharingPanel::follow);
    context.document->onWalkChange(WalkPart::kLoad | WalkPart::kStates, this, [this] { openChanged(); });
    connect(job(), &StudyJob::changed, this, [this] { m_form->setEnabled(!job()->busy()); });
    openChanged();
    begin(tr("Files written"));
  }

  void openChanged() { m_form->setOpenModel(context().document->path()); }
  void follow() {
    m_wish->set(m_form->wish());
    refresh();
  }

  std::shared_ptr<const ContextWritten> written() const { return job()->result<ContextWritten>(); }
  QString sentence() const override { return sharingSentence(*written()); }
  ReportRows rows() const override { return sharingRows(written()); }
  std::vector<NodeTarget> nodesOf(int) const override { return {}; }
  void updateButtons(bool busy) override { m_copy->setEnabled(!busy); }

  QString whyNot() const override {
    const QString reason = job()->whyNot();
    return reason.isEmpty() ? m_form->problem() : reason;
  }

  EmptyWords emptyWords(bool busy, const QString& reason) const override {
    const QString icon = QStringLiteral("stage-context");
    if (busy)
      return {icon,
              tr("The models are being compiled \u2026"),
              tr("One after the other; all of them are written at the end, and nothing when you cancel."),
              {}};
    return {icon, tr("One binary for several models"),
            reason.isEmpty() ? tr("Compiles the models one after the other and writes context models that keep what "
                                  "they have in common once.")
                             : reason,
            tr("Compile and write")};
  }

  void copyCommand() {
    const QString command = sharingCommand(m_form->wish(), context().document->options().optimizationLevel);
    QGuiApplication::clipboard()->setText(command);
    emit context().actions -> message(tr("Copied: %1").arg(shortened(command, 100)));
  }

  std::shared_ptr<NextWish> m_wish;
  SharingForm* m_form;
  QPushButton* m_copy;
};

}  // namespace

const PanelDescriptor& panel_sharing() {
  static const PanelDescriptor descriptor{.id = "sharing",
                                          .title = QT_TRANSLATE_NOOP("Panel", "Weight sharing"),
                                          .icon = "stage-context",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBelow,
                                          .height = 40,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new SharingPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
