// The what-if page: the draft's editor, the figures of both sides, the nodes that move and the copies that come and go.
#include "ui/panels/partition/what_if_page.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme_follower.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/panels/comparison_controls.h"
#include "ui/panels/figures_view.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/partition/comparison_tables.h"
#include "ui/panels/partition/draft_editor.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {
namespace {

constexpr int kMeasureRuns = 10;

}  // namespace

WhatIfPage::WhatIfPage(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_editor(new DraftEditor(context)),
      m_figures(new FiguresView(context.themes, QStringLiteral("partition/figures"))),
      m_choice(new QButtonGroup(this)),
      m_pages(new QStackedWidget),
      m_measure(new QCheckBox(tr("Run both"))),
      m_controls(new ComparisonControls(
          context.document, {.ready = [this] { return isReady(); },
                             .sentence = [this] { return resultSentence(); },
                             .measureRuns = [this] { return m_measure->isChecked() ? kMeasureRuns : 0; }})) {
  setObjectName(QStringLiteral("partition/whatIf"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeTop());
  auto* line = new QFrame;
  line->setProperty("role", "line");
  column->addWidget(line);
  column->addWidget(m_pages, 1);
  column->addWidget(m_controls);
  m_controls->addToEnd(makeSideBySide());
  m_controls->addToEnd(makeMenuButton());
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
  connect(m_controls, &ComparisonControls::refreshed, this, &WhatIfPage::refresh);
  new ThemeFollower(this, context.themes, [this] { presentResult(); });
  m_controls->refresh();
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
  row->addWidget(m_measure);
  row->addSpacing(kSpaceSmall);
  row->addWidget(m_controls->compareButton());
  return box;
}

QWidget* WhatIfPage::makeSideBySide() {
  m_beside = new QPushButton(tr("Side by side"));
  m_beside->setObjectName(QStringLiteral("partition/sideBySide"));
  m_beside->setToolTip(tr("Both configurations as two graphs that move together; differences are coloured"));
  m_beside->setEnabled(false);
  connect(m_beside, &QPushButton::clicked, this, [this] { emit m_context.actions->compareRequested({}); });
  return m_beside;
}

QWidget* WhatIfPage::makeMenuButton() {
  auto* more = new QToolButton;
  more->setText(tr("Configuration"));
  more->setPopupMode(QToolButton::InstantPopup);
  more->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(more);
  connect(menu->addAction(tr("Save \u2026")), &QAction::triggered, this, [this] {
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save configuration"), QStringLiteral("configuration.json"), tr("Configurations (*.json)"));
    if (!path.isEmpty()) saveTo(path);
  });
  connect(menu->addAction(tr("Load \u2026")), &QAction::triggered, this, [this] {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Load configuration"), {}, tr("Configurations (*.json);;All files (*)"));
    if (!path.isEmpty()) loadFrom(path);
  });
  menu->addSeparator();
  connect(menu->addAction(tr("Copy the equivalent onnxruntime settings")), &QAction::triggered, this,
          &WhatIfPage::copyReferenceKeys);
  more->setMenu(menu);
  return more;
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

QPushButton* WhatIfPage::compareButton() {
  return m_controls->compareButton();
}
QPushButton* WhatIfPage::applyButton() {
  return m_controls->applyButton();
}

bool WhatIfPage::isReady() const {
  return m_context.document->walk()->partition && m_context.document->walk()->optimizedGraphs;
}

QString WhatIfPage::resultSentence() const {
  const auto result = m_context.document->whatIf();
  return result && result->comparison ? comparisonSentence(*result->comparison) : QString();
}

void WhatIfPage::refresh() {
  const auto result = m_context.document->whatIf();
  if (result == m_shown) return;
  m_shown = result;
  m_beside->setEnabled(result && result->walk);
  presentResult();
  showPage(result ? kFigures : kChange);
}

void WhatIfPage::presentResult() {
  const auto comparison = m_shown ? m_shown->comparison : nullptr;
  const ProviderMarks marks = providerMarks(*m_context.document->walk(), m_shown ? m_shown->walk.get() : nullptr);
  m_figures->present(comparison ? figureRows(*comparison) : std::vector<FigureRow>(), marks);
  const MarkOf mark = [this, marks](const std::string& provider) {
    const int index = marks.indexOf(provider);
    const Theme& theme = m_context.themes->current();
    return index < 0 ? QVariant()
                     : QVariant(categoryMark(theme.category(index), marks.letters[static_cast<size_t>(index)], theme,
                                             14, devicePixelRatioF()));
  };
  m_moved->present(comparison ? movedRows(comparison, mark) : ReportRows{});
  m_copies->present(comparison ? changedCopyRows(comparison) : ReportRows{});
  for (const Page page : {kFigures, kMoved, kCopies})
    m_choice->button(page)->setEnabled(comparison != nullptr);
  m_choice->button(kMoved)->setText(comparison ? tr("Moved (%1)").arg(comparison->moved.size()) : tr("Moved"));
  m_choice->button(kCopies)->setText(
      comparison && !(comparison->copiesOnlyInA.empty() && comparison->copiesOnlyInB.empty())
          ? tr("Copies (+%1 \u2212%2)").arg(comparison->copiesOnlyInB.size()).arg(comparison->copiesOnlyInA.size())
          : tr("Copies"));
}

}  // namespace cutaway::ui
