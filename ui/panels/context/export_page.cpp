// Form or result above, one strip of buttons below.
#include "ui/panels/context/export_page.h"

#include <QCheckBox>
#include <QClipboard>
#include <QDesktopServices>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include "engine/report/simulated_providers.h"
#include "ui/base/format.h"
#include "ui/base/theme_follower.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"
#include "ui/panels/context/context_command.h"
#include "ui/panels/context/export_form.h"
#include "ui/panels/context/export_result.h"
#include "ui/panels/panel_actions.h"

namespace cutaway::ui {
namespace {

enum { kFormPage, kResultPage };

QLabel* wrapping(const char* role) {
  auto* label = new QLabel;
  label->setProperty("role", role);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

}  // namespace

ExportPage::ExportPage(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_form(new ExportForm),
      m_pages(new QStackedWidget),
      m_result(new QTextBrowser),
      m_questionWords(wrapping("secondary")),
      m_words(wrapping("secondary")),
      m_error(wrapping("error")),
      m_progress(new QProgressBar),
      m_export(new QPushButton(tr("Export"))),
      m_replace(new QPushButton(tr("Replace it"))),
      m_keep(new QPushButton(tr("Keep it"))),
      m_open(new QPushButton(tr("Open it"))),
      m_folder(new QPushButton(tr("Folder"))),
      m_copy(new QPushButton(tr("Copy command"))),
      m_verify(new QPushButton(tr("Verify"))),
      m_again(new QPushButton(tr("Again \u2026"))) {
  setObjectName(QStringLiteral("context/export"));
  auto* scroll = new QScrollArea;
  scroll->setWidget(m_form);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  m_result->setFrameShape(QFrame::NoFrame);
  m_result->setOpenLinks(false);
  m_result->setProperty("role", "page");
  m_result->setAccessibleName(tr("What was exported, and how it compares"));
  m_result->document()->setDocumentMargin(kSpaceLarge);
  m_pages->addWidget(scroll);
  m_pages->addWidget(m_result);
  auto* line = new QFrame;
  line->setProperty("role", "line");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_pages, 1);
  column->addWidget(line);
  column->addWidget(makeQuestion());
  column->addWidget(makeStrip());
  connect(m_form, &ExportForm::changed, this, [this] {
    m_question->hide();
    refresh();
  });
  connect(&context.document->contexts(), &ContextController::changed, this, &ExportPage::refresh);
  context.document->onWalkChange(WalkPart::kPartition | WalkPart::kContext | WalkPart::kStates, this,
                                 &ExportPage::refresh);
  connect(&context.document->service(), &EngineService::activityChanged, this, &ExportPage::refresh);
  new ThemeFollower(this, context.themes, [this] { showResult(); });
  refresh();
}

// Nothing is replaced before somebody said so.
QWidget* ExportPage::makeQuestion() {
  m_question = new QWidget;
  auto* row = new QHBoxLayout(m_question);
  row->setContentsMargins(kSpaceLarge, kSpace, kSpaceLarge, 0);
  row->setSpacing(kSpace);
  row->addWidget(m_questionWords, 1);
  row->addWidget(m_keep);
  row->addWidget(m_replace);
  m_question->hide();
  connect(m_keep, &QPushButton::clicked, this, [this] {
    m_question->hide();
    refresh();
  });
  connect(m_replace, &QPushButton::clicked, this, [this] { start(true); });
  return m_question;
}

QWidget* ExportPage::makeStrip() {
  auto* strip = new QWidget;
  auto* column = new QVBoxLayout(strip);
  column->setContentsMargins(kSpaceLarge, kSpace, kSpaceLarge, kSpaceLarge);
  column->setSpacing(kSpace);
  column->addWidget(m_words);
  column->addWidget(m_error);
  column->addWidget(m_progress);
  m_progress->setTextVisible(false);
  m_progress->setAccessibleName(tr("Progress of the export"));
  m_export->setProperty("primary", true);
  m_export->setMinimumWidth(84);
  auto* row = new QHBoxLayout;
  row->setSpacing(kSpace);
  for (QPushButton* button : {m_export, m_open, m_verify, m_folder})
    row->addWidget(button);
  row->addStretch(1);
  row->addWidget(m_copy);
  row->addWidget(m_again);
  column->addLayout(row);
  m_open->setProperty("primary", true);
  m_copy->setToolTip(tr("The cutaway-cli command that writes the same files"));
  m_open->setToolTip(tr("The exported model in a tab of its own"));
  m_folder->setToolTip(tr("Shows the folder that the files were written to"));
  m_again->setToolTip(tr("Back to the options"));
  m_verify->setToolTip(tr("Opens it again, runs both, and compares outputs and times"));
  connect(m_export, &QPushButton::clicked, this, [this] {
    if (m_context.document->contexts().busy()) return m_context.document->service().cancel();
    start(false);
  });
  connect(m_verify, &QPushButton::clicked, this, [this] {
    if (m_context.document->contexts().busy()) return m_context.document->service().cancel();
    m_context.document->contexts().verify();
  });
  connect(m_open, &QPushButton::clicked, this,
          [this] { emit m_context.actions->openAlikeRequested(m_context.document->contexts().exportOptions().file); });
  connect(m_folder, &QPushButton::clicked, this, &ExportPage::openFolder);
  connect(m_copy, &QPushButton::clicked, this, &ExportPage::copyCommand);
  connect(m_again, &QPushButton::clicked, this, [this] {
    m_pages->setCurrentIndex(kFormPage);
    refresh();
  });
  return strip;
}

void ExportPage::showEvent(QShowEvent*) {
  refresh();
}

void ExportPage::start(bool replace) {
  ContextExportOptions exportOptions = m_form->exportOptions();
  const QFileInfo there(exportOptions.file);
  if (there.exists() && !exportOptions.overwrite && !replace) {
    m_questionWords->setText(tr("%1 already exists: %2, written %3. Replace it?")
                                 .arg(there.fileName(), sizeText(there.size()),
                                      QLocale().toString(there.lastModified(), QLocale::ShortFormat)));
    m_question->show();
    m_words->hide();
    m_keep->setFocus();
    return;
  }
  m_question->hide();
  exportOptions.overwrite = exportOptions.overwrite || replace;
  m_context.document->contexts().exportModel(exportOptions);
}

bool ExportPage::isShowingResult() const {
  return m_pages->currentIndex() == kResultPage;
}

QString ExportPage::sentence() const {
  const Document& document = *m_context.document;
  const ContextController& controller = document.contexts();
  const Activity& activity = document.service().activity();
  const QString name = QFileInfo(controller.exportOptions().file).fileName();
  if (controller.state() == ContextController::State::kExporting)
    return activity.detail.isEmpty() ? tr("Exporting \u2026") : tr("Exporting: %1").arg(activity.detail);
  if (controller.state() == ContextController::State::kVerifying)
    return activity.detail.isEmpty() ? tr("Written. Verifying \u2026")
                                     : tr("Written. Verifying: %1").arg(activity.detail);
  if (isShowingResult() && controller.written()) {
    const QString written = controller.cameLate() ? tr("%1 was written before it could be stopped.").arg(name)
                                                  : tr("Written to %1.").arg(name);
    if (controller.verification())
      return written + QLatin1Char(' ') +
             verificationSentence(*controller.verification(), !simulatedProviders(*document.walk()).empty());
    return controller.wasCancelled() && !controller.cameLate() ? written + tr(" Verifying was cancelled.") : written;
  }
  if (const QString problem = m_form->problem(); !problem.isEmpty()) return problem;
  if (controller.wasCancelled()) return tr("Cancelled. Nothing was written.");
  if (!controller.can())
    return document.walk()->partition ? tr("This model is compiled already.") : tr("The model is not partitioned yet.");
  return tr("Compiles the groups as this session does and writes them to the file.");
}

void ExportPage::refresh() {
  const Document& document = *m_context.document;
  const ContextController& controller = document.contexts();
  m_form->setModel(document.path());
  if (controller.written() != m_seen) {
    m_seen = controller.written();
    m_pages->setCurrentIndex(m_seen ? kResultPage : kFormPage);
  }
  const bool busy = controller.busy(), result = isShowingResult() && controller.written(),
             verifying = controller.state() == ContextController::State::kVerifying;
  m_form->setEnabled(!busy);
  m_export->setVisible(!result);
  m_export->setText(busy ? tr("Cancel") : tr("Export"));
  m_export->setEnabled(busy || (controller.can() && m_form->problem().isEmpty() && !document.service().busy()));
  for (QPushButton* button : {m_open, m_folder, m_again, m_verify})
    button->setVisible(result);
  m_open->setEnabled(!busy);
  m_again->setEnabled(!busy);
  m_verify->setText(verifying ? tr("Cancel") : controller.verification() ? tr("Verify again") : tr("Verify"));
  m_verify->setEnabled(verifying || (!document.service().busy() && document.service().host().verifyContext));
  m_copy->setEnabled(m_form->problem().isEmpty() || result);
  m_progress->setVisible(busy);
  const Activity& activity = document.service().activity();
  if (busy) m_progress->setRange(0, activity.share < 0 ? 0 : 1000);
  if (busy && activity.share >= 0) m_progress->setValue(static_cast<int>(activity.share * 1000));
  m_error->setVisible(!busy && controller.error().has_value());
  if (controller.error()) m_error->setText(told(*controller.error()));
  m_words->setText(sentence());
  m_words->setVisible(m_question->isHidden());
  showResult();
}

void ExportPage::showResult() {
  const ContextController& controller = m_context.document->contexts();
  const Theme& theme = m_context.themes->current();
  const QString html = controller.written() ? exportResultPage(*controller.written(), controller.verification().get(),
                                                               theme, simulatedProviders(*m_context.document->walk()))
                                            : QString();
  if (m_result->property("html").toString() == html) return;
  m_result->setProperty("html", html);
  m_result->setHtml(html);
}

void ExportPage::copyCommand() {
  const Document& document = *m_context.document;
  const QString command =
      contextCommand(document.path(), document.options(),
                     isShowingResult() ? document.contexts().exportOptions() : m_form->exportOptions());
  QGuiApplication::clipboard()->setText(command);
  emit m_context.actions->message(tr("Copied: %1").arg(shortened(command, 100)));
}

void ExportPage::openFolder() {
  const QString folder = QFileInfo(m_context.document->contexts().exportOptions().file).absolutePath();
  if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder)))
    emit m_context.actions->message(tr("No file manager was found. The folder is %1").arg(folder));
}

QString ExportPage::words() const {
  return m_error->isHidden() ? m_words->text() : m_words->text() + QLatin1Char('\n') + m_error->text();
}
QString ExportPage::question() const {
  return m_question->isHidden() ? QString() : m_questionWords->text();
}

}  // namespace cutaway::ui
