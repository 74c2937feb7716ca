// The what-if page: the draft's editor, the figures of both sides, the nodes that move and the copies that come and go.
#include "ui/panels/partition/what_if_page.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/panels/figures_view.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/partition/comparison_tables.h"
#include "ui/panels/partition/draft_editor.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {
namespace {

constexpr int kMeasureRuns = 10;

QLabel* words(const char* role) {
  auto* label = new QLabel;
  label->setProperty("role", role);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setMinimumWidth(40);
  return label;
}

}  // namespace

WhatIfPage::WhatIfPage(const PanelContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_editor(new DraftEditor(context)), m_figures(new FiguresView(context.themes, QStringLiteral("partition/figures"))), m_choice(new QButtonGroup(this)), m_pages(new QStackedWidget), m_summary(words("secondary")),
      m_error(words("error")), m_progress(new QProgressBar), m_measure(new QCheckBox(tr("Run both"))), m_compare(new QPushButton(tr("Compare"))), m_apply(new QPushButton(tr("Apply"))),
      m_revert(new QPushButton(tr("Reset"))), m_more(new QToolButton) {
  setObjectName(QStringLiteral("partition/whatIf"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeTop());
  auto* line = new QFrame;
  line->setProperty("role", "line");
  column->addWidget(line);
  column->addWidget(m_pages, 1);
  column->addWidget(makeBottom());
  auto* scroll = new QScrollArea;
  scroll->setWidget(m_editor);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  m_editor->setProperty("role", "surface");
  m_editor->setAttribute(Qt::WA_StyledBackground);
  m_pages->addWidget(scroll);
  m_pages->addWidget(m_figures);
  m_pages->addWidget(makeTable(m_moved, "partition/moved"));
  m_pages->addWidget(makeTable(m_copies, "partition/movedCopies"));
  connect(m_choice, &QButtonGroup::idClicked, m_pages, &QStackedWidget::setCurrentIndex);
  connect(m_compare, &QPushButton::clicked, this, &WhatIfPage::compareOrCancel);
  connect(m_apply, &QPushButton::clicked, context.document, &Document::applyDraft);
  connect(m_revert, &QPushButton::clicked, this, [this] {
    m_context.document->draft().revert();
    m_context.document->dropComparison();
  });
  connect(context.document, &Document::whatIfChanged, this, &WhatIfPage::refresh);
  connect(context.document, &Document::walkChanged, this, &WhatIfPage::refresh);
  connect(&context.document->draft(), &WhatIfDraft::changed, this, &WhatIfPage::refresh);
  connect(&context.document->service(), &EngineService::activityChanged, this, &WhatIfPage::refresh);
  connect(context.themes, &ThemeStore::changed, this, [this] { presentResult(); });
  refresh();
}

QWidget* WhatIfPage::makeTop() {
  auto* box = new QWidget;
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, kSpaceSmall);
  row->setSpacing(kSpaceTiny);
  const QString titles[] = {tr("Change"), tr("Figures"), tr("Moved"), tr("Copies")};
  for (int page = 0; page < kPageCount; ++page) {
    auto* button = new QToolButton;
    button->setText(titles[page]);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_choice->addButton(button, page);
    row->addWidget(button);
  }
  m_choice->button(kChange)->setChecked(true);
  row->addStretch(1);
  m_measure->setToolTip(tr("Also compile both and run each %1 times on random inputs").arg(kMeasureRuns));
  m_compare->setProperty("primary", true);
  m_compare->setMinimumWidth(84);
  row->addWidget(m_measure);
  row->addSpacing(kSpaceSmall);
  row->addWidget(m_compare);
  return box;
}

QWidget* WhatIfPage::makeBottom() {
  auto* box = new QWidget;
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, kSpace);
  column->setSpacing(kSpaceSmall);
  m_progress->setTextVisible(false);
  m_progress->setAccessibleName(tr("Progress of the comparison"));
  column->addWidget(m_progress);
  column->addWidget(m_error);
  column->addWidget(m_summary);
  auto* row = new QHBoxLayout;
  row->setSpacing(kSpace);
  m_apply->setToolTip(tr("Make this the configuration of the session, and walk again"));
  m_revert->setToolTip(tr("Back to the configuration of the session"));
  m_more->setText(tr("Configuration"));
  m_more->setPopupMode(QToolButton::InstantPopup);
  m_more->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(m_more);
  connect(menu->addAction(tr("Save \u2026")), &QAction::triggered, this, [this] {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save configuration"), QStringLiteral("configuration.json"), tr("Configurations (*.json)"));
    if (!path.isEmpty()) saveTo(path);
  });
  connect(menu->addAction(tr("Load \u2026")), &QAction::triggered, this, [this] {
    const QString path = QFileDialog::getOpenFileName(this, tr("Load configuration"), {}, tr("Configurations (*.json);;All files (*)"));
    if (!path.isEmpty()) loadFrom(path);
  });
  menu->addSeparator();
  connect(menu->addAction(tr("Copy the equivalent onnxruntime settings")), &QAction::triggered, this, &WhatIfPage::copyReferenceKeys);
  m_more->setMenu(menu);
  row->addWidget(m_apply);
  row->addWidget(m_revert);
  row->addStretch(1);
  row->addWidget(m_more);
  column->addLayout(row);
  return box;
}

LinkedTable* WhatIfPage::makeTable(ReportModel*& model, const char* key) {
  model = new ReportModel(this);
  auto* table = new LinkedTable(m_context, QString::fromLatin1(key), this);
  table->setObjectName(QString::fromLatin1(key));
  table->setModel(model);
  return table;
}

void WhatIfPage::showPage(Page page) {
  m_choice->button(page)->setChecked(true);
  m_pages->setCurrentIndex(page);
}

void WhatIfPage::compareOrCancel() {
  Document& document = *m_context.document;
  if (document.comparing()) return document.service().cancel();
  document.compare(m_measure->isChecked() ? kMeasureRuns : 0);
}

void WhatIfPage::refresh() {
  const Document& document = *m_context.document;
  const bool comparing = document.comparing();
  const bool ready = document.walk()->partition && document.walk()->optimizedGraphs && static_cast<bool>(document.service().host().evaluateWhatIf);
  m_compare->setText(comparing ? tr("Cancel") : tr("Compare"));
  m_compare->setEnabled(comparing || (ready && !document.service().busy()));
  const bool changed = m_context.document->draft().isChanged();
  m_apply->setEnabled(changed && !comparing);
  m_revert->setEnabled((changed || document.whatIf()) && !comparing);
  m_progress->setVisible(comparing);
  const Activity& activity = document.service().activity();
  if (comparing) m_progress->setRange(0, activity.share < 0 ? 0 : 1000);
  if (comparing && activity.share >= 0) m_progress->setValue(static_cast<int>(activity.share * 1000));
  m_error->setVisible(document.whatIfError().has_value());
  if (document.whatIfError()) m_error->setText(text(document.whatIfError()->message));
  const QStringList changes = m_context.document->draft().changes();
  if (comparing) {
    m_summary->setText(activity.detail.isEmpty() ? tr("Comparing \u2026") : activity.detail);
  } else if (document.whatIf() && document.whatIf()->comparison) {
    m_summary->setText(comparisonSentence(*document.whatIf()->comparison));
  } else {
    m_summary->setText(changes.isEmpty() ? tr("As the session has it. Change something, then compare.") : tr("What if it %1?").arg(changes.join(QStringLiteral("; "))));
  }
  if (document.whatIf() != m_shown) {
    const bool first = document.whatIf() != nullptr;
    m_shown = document.whatIf();
    presentResult();
    showPage(first ? kFigures : kChange);
  }
}

void WhatIfPage::presentResult() {
  const auto comparison = m_shown ? m_shown->comparison : nullptr;
  const ProviderMarks marks = providerMarks(*m_context.document->walk(), m_shown ? m_shown->walk.get() : nullptr);
  m_figures->present(comparison ? figureRows(*comparison) : std::vector<FigureRow>(), marks);
  const MarkOf mark = [this, marks](const std::string& provider) {
    const int index = marks.indexOf(provider);
    const Theme& theme = m_context.themes->current();
    return index < 0 ? QVariant() : QVariant(categoryMark(theme.category(index), marks.letters[static_cast<size_t>(index)], theme, 14, devicePixelRatioF()));
  };
  m_moved->present(comparison ? movedRows(comparison, mark) : ReportRows{});
  m_copies->present(comparison ? changedCopyRows(comparison) : ReportRows{});
  for (const Page page : {kFigures, kMoved, kCopies}) m_choice->button(page)->setEnabled(comparison != nullptr);
  m_choice->button(kMoved)->setText(comparison ? tr("Moved (%1)").arg(comparison->moved.size()) : tr("Moved"));
  m_choice->button(kCopies)->setText(comparison ? tr("Copies (+%1 \u2212%2)").arg(comparison->copiesOnlyInB.size()).arg(comparison->copiesOnlyInA.size()) : tr("Copies"));
}

}  // namespace cutaway::ui
