#include "ui/panels/stage_panel.h"

#include <algorithm>
#include <numeric>

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/base/truth_mark.h"
#include "ui/base/truth_words.h"
#include "ui/document/document.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/panel_scroll.h"
#include "ui/panels/stage_waiting.h"
#include "ui/panels/truth_line.h"
#include "ui/panels/whole_label.h"

namespace cutaway::ui {
namespace {
constexpr int kColumns = 3;
constexpr int kTabsHeight = 120;    // that a chart can be read in
constexpr int kWide = 500;          // from here on facts stand beside the tabs, if these have less height than width
constexpr int kFactWidth = 132;     // of a column of facts beside the tabs, as text grows
constexpr int kFactHeight = 40;     // label and figure, with the space between
constexpr int kMostBeside = 3;      // columns
constexpr double kMostFacts = 0.4;  // of the width, beside the tabs

constexpr int kNoteLength = 320;  // characters; formulas of open dimensions may have thousands

constexpr int kSignRoom = 16;  // of what a figure is

// What is too long for its column loses its middle, not its last letter's half; all of it is in the tool tip. What is
// not exact has its sign before it.
class FactLabel : public QLabel {
 public:
  explicit FactLabel(const QString& words, const ThemeStore* themes = nullptr, TruthKind truth = TruthKind::kExact)
      : QLabel(words), m_themes(themes), m_truth(truth) {
    const bool isExact = truth == TruthKind::kExact;
    setToolTip(isExact ? words : QStringLiteral("%1 (%2)").arg(words, truthKindWords(truth)));
    setAccessibleName(toolTip());
    setMinimumWidth(20);
    if (!isExact) setContentsMargins(kSignRoom, 0, 0, 0);
  }
  // A whole line of the present font, however little room there is.
  QSize minimumSizeHint() const override {
    return {QLabel::minimumSizeHint().width(), std::max(QLabel::minimumSizeHint().height(), fontMetrics().height())};
  }
  QSize sizeHint() const override { return QLabel::sizeHint().expandedTo({0, fontMetrics().height()}); }

 protected:
  void paintEvent(QPaintEvent* event) override {
    const QRect room = contentsRect();
    QPainter painter(this);
    if (m_truth != TruthKind::kExact)
      paintTruth(painter, QRectF(0, room.center().y() - 6, 12, 12), m_truth, m_themes->current());
    painter.end();
    if (fontMetrics().horizontalAdvance(text()) <= room.width()) return QLabel::paintEvent(event);
    painter.begin(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     fontMetrics().elidedText(text(), m_truth == TruthKind::kExact ? Qt::ElideMiddle : Qt::ElideRight,
                                              room.width()));
  }

 private:
  const ThemeStore* m_themes;
  TruthKind m_truth;
};

int sumOf(const std::vector<int>& widths) {
  return std::accumulate(widths.begin(), widths.end(), 0);
}

// Of each column beside the tabs: titles and figures are whole as long as the tabs keep most of the width.
std::vector<int> factWidths(const Facts& facts, int columns, int panelWidth) {
  const QFontMetrics titles(interfaceFont(-2)), figures(interfaceFont(0, QFont::DemiBold));
  std::vector<int> widths(static_cast<size_t>(columns), scaled(kFactWidth));
  for (size_t i = 0; i < facts.size(); ++i) {
    int& width = widths[i % widths.size()];
    const auto& [title, figure, truth] = facts[i];
    const int sign = truth == TruthKind::kExact ? 0 : kSignRoom;
    width = std::max({width, titles.horizontalAdvance(title) + kSpaceLarge + 1,
                      figures.horizontalAdvance(figure) + sign + kSpaceLarge + 1});
  }
  // Where they are too wide together, the widest give way first: a path loses its middle before a figure does.
  int least = scaled(kFactWidth);
  for (int over = sumOf(widths) - static_cast<int>(panelWidth * kMostFacts); over > 0;) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= least) break;
    const int give = std::min(over, std::max(1, *widest / 8));
    *widest = std::max(least, *widest - give), over -= give;
  }
  return widths;
}
}  // namespace

StagePanel::StagePanel(const PanelContext& context, const QString& id, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_id(id),
      m_sides(new QBoxLayout(QBoxLayout::TopToBottom)),
      m_column(new QVBoxLayout),
      m_factsBox(new QWidget),
      m_facts(new QGridLayout(m_factsBox)),
      m_note(new WholeLabel),
      m_truth(new TruthLine(context.themes)),
      m_tabs(new QTabWidget) {
  setProperty("role", "surface");
  setAttribute(Qt::WA_StyledBackground);
  auto* content = new QWidget;
  content->setLayout(m_sides);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(new PanelScroll(content));
  m_sides->setContentsMargins(0, 0, 0, 0);
  m_sides->setSpacing(0);
  m_column->setContentsMargins(0, 0, 0, 0);
  m_column->setSpacing(0);
  m_facts->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, kSpaceLarge);
  m_facts->setHorizontalSpacing(kSpaceLarge);
  m_facts->setVerticalSpacing(kSpaceTiny);
  m_sides->addWidget(m_factsBox);
  m_sides->addLayout(m_column, 1);
  m_column->addWidget(m_truth);
  m_note->setContentsMargins(kSpaceLarge, 0, kSpaceLarge, kSpaceLarge);
  m_note->setProperty("role", "secondary");
  m_note->hide();
  m_column->addWidget(m_note);
  auto* top = new QWidget;
  m_top = new QVBoxLayout(top);
  m_top->setContentsMargins(0, 0, 0, 0);
  m_top->setSpacing(0);
  m_column->addWidget(top);
  m_tabs->setDocumentMode(true);
  m_tabs->setMinimumHeight(scaled(kTabsHeight));  // where there is little room, tables scroll and figures stay whole
  m_tabs->tabBar()->setUsesScrollButtons(true);
  m_tabs->tabBar()->setExpanding(false);
  m_column->addWidget(m_tabs, 1);
  for (int stage = 0; stage <= static_cast<int>(Stage::kPattern); ++stage)
    if (m_id == QLatin1String(stageId(static_cast<Stage>(stage))))
      m_column->addWidget(new StageWaiting(m_context, static_cast<Stage>(stage), m_tabs, this), 1);
  m_context.document->onWalkChange(kReports | WalkPart::kComparison, this, [this] {
    if (isVisible()) refresh();
  });
}

void StagePanel::showEvent(QShowEvent*) {
  refresh();
  if (m_makeWhatIf) QTimer::singleShot(0, this, &StagePanel::makeWhatIf);
}

void StagePanel::refresh() {
  const auto walk = m_context.document->walk();
  const void* now = source(*walk);
  // The latest snapshot has what is shown, too: an earlier one would keep graphs that nothing shows any more.
  m_walk = walk;
  if (m_filled && now == m_source) return;
  m_filled = true;
  m_source = now;
  tellTruth();
  fill(*walk);
}

void StagePanel::tellTruth() {
  Truth truth;
  for (int stage = 0; m_walk && stage < kStageCount; ++stage)
    if (m_id == QLatin1String(stageId(static_cast<Stage>(stage))))
      truth = stageTruth(*m_walk, static_cast<Stage>(stage));
  m_truth->present(m_whatIf && m_tabs->currentWidget() == m_whatIf ? Truth{} : truth);
}

ReportModel* StagePanel::addTable(const QString& title, LinkedTable** made) {
  auto* model = new ReportModel(this);
  auto* table = new LinkedTable(m_context, QStringLiteral("%1/table%2").arg(m_id).arg(m_tabs->count()), this);
  table->setObjectName(QStringLiteral("%1/table%2").arg(m_id).arg(m_tabs->count()));
  table->setModel(model);
  table->view()->setAccessibleName(title);
  m_tabs->addTab(table, title);
  if (made) *made = table;
  return model;
}

void StagePanel::addTab(QWidget* widget, const QString& title) {
  m_tabs->addTab(widget, title);
}
void StagePanel::setTabTitle(int index, const QString& title) {
  m_tabs->setTabText(index, title);
}
void StagePanel::setTabShown(int index, bool shown) {
  m_tabs->setTabVisible(index, shown);
}
void StagePanel::addTop(QWidget* widget) {
  m_top->addWidget(widget);
}

void StagePanel::addWhatIf(std::function<QWidget*(QWidget* parent)> make) {
  m_makeWhatIf = std::move(make);
  m_whatIf = new QWidget;
  auto* column = new QVBoxLayout(m_whatIf);
  column->setContentsMargins(0, 0, 0, 0);
  addTab(m_whatIf, tr("What if"));
  const auto title = [this] {
    setTabTitle(m_tabs->indexOf(m_whatIf),
                document().draft().isChanged() || document().whatIf() ? tr("What if \u2022") : tr("What if"));
  };
  connect(&document().draft(), &WhatIfDraft::changed, this, title);
  connect(&document(), &Document::whatIfChanged, this, [this, title] {
    title();
    const auto result = document().whatIf();
    if (result && result != m_result && isVisible() && m_tabs->currentWidget() != m_whatIf) {
      m_before = m_tabs->currentIndex();
      m_tabs->setCurrentWidget(m_whatIf);
    }
    // Asked for elsewhere, dropped elsewhere: what was looked at before comes back.
    if (!result && m_result && m_before >= 0 && m_tabs->currentWidget() == m_whatIf) m_tabs->setCurrentIndex(m_before);
    if (!result) m_before = -1;
    m_result = result;
  });
  connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
    if (m_tabs->currentWidget() == m_whatIf) makeWhatIf();
    makeRoom();
  });
}

void StagePanel::makeWhatIf() {
  if (const auto make = std::exchange(m_makeWhatIf, nullptr)) m_whatIf->layout()->addWidget(make(m_whatIf));
}

void StagePanel::makeRoom() {
  const bool whole = m_whatIf && m_tabs->currentWidget() == m_whatIf;
  setFactsShown(!whole);
  tellTruth();
  m_top->parentWidget()->setVisible(!whole);
  m_note->setVisible(!whole && !m_note->text().isEmpty());
  m_sides->activate();  // the tabs move up at once
}

void StagePanel::setFactsShown(bool shown) {
  m_factsBox->setVisible(shown);
}

void StagePanel::setNote(const QString& words) {
  const QString shown = shortened(words, kNoteLength);
  m_note->setText(shown);
  m_note->setToolTip(shown == words ? QString() : words);
  m_note->setVisible(!words.isEmpty() && !(m_whatIf && m_tabs->currentWidget() == m_whatIf));
}

void StagePanel::setFacts(Facts facts) {
  m_shownFacts = std::move(facts);
  m_factColumns = 0;  // they are others
  placeFacts();
}

void StagePanel::resizeEvent(QResizeEvent*) {
  placeFacts();
}

// Small label above its figure. Beside the tabs there are as many columns as the height asks for, so that charts and
// tables have all of it.
void StagePanel::placeFacts() {
  const bool beside = width() >= scaled(kWide) && width() > height();
  const int count = static_cast<int>(m_shownFacts.size());
  const int rows = std::max(1, height() / scaled(kFactHeight));
  const int columns = beside ? std::clamp((count + rows - 1) / rows, 1, kMostBeside) : kColumns;
  m_sides->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  m_sides->setAlignment(m_factsBox, beside ? Qt::AlignTop : Qt::Alignment());
  const std::vector<int> widths = factWidths(m_shownFacts, columns, width());
  m_factsBox->setFixedWidth(!beside ? QWIDGETSIZE_MAX : count > 0 ? sumOf(widths) + kSpaceLarge : 0);
  for (int column = 0; column < kColumns; ++column)
    m_facts->setColumnMinimumWidth(column,
                                   beside && column < columns ? widths[static_cast<size_t>(column)] - kSpaceLarge : 0);
  if (!beside) m_factsBox->setMinimumWidth(0);
  const bool none = m_shownFacts.empty();
  m_facts->setContentsMargins(kSpaceLarge, none ? 0 : kSpaceSmall, kSpaceLarge, none ? 0 : kSpaceLarge);
  if (columns == m_factColumns) return;
  m_factColumns = columns;
  while (QLayoutItem* item = m_facts->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  for (int i = 0; i < count; ++i) {
    const auto& [title, figure, truth] = m_shownFacts[static_cast<size_t>(i)];
    const int row = i / columns * 2, column = i % columns;
    auto* name = new FactLabel(title);
    name->setProperty("role", "faint");
    name->setFont(interfaceFont(-2));
    name->setContentsMargins(0, kSpaceSmall, 0, 0);
    auto* value = new FactLabel(figure, m_context.themes, truth);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    value->setFont(interfaceFont(0, QFont::DemiBold));
    m_facts->addWidget(name, row, column);
    m_facts->addWidget(value, row + 1, column);
  }
  for (int column = 0; column < kColumns; ++column)
    m_facts->setColumnStretch(column, !beside && column < columns ? 1 : 0);
}

QString nodeName(const ModelGraphs* graphs, int graph, int node) {
  if (!graphs || graph < 0 || graph >= static_cast<int>(graphs->graphs.size())) return {};
  return nodeTitle(graphs->graphs[graph], node);
}

QString valueName(const ModelGraphs* graphs, int graph, int value) {
  if (!graphs || graph < 0 || graph >= static_cast<int>(graphs->graphs.size()) || value < 0 ||
      value >= static_cast<int>(graphs->graphs[graph].values.size()))
    return {};
  return text(graphs->graphs[graph].values[value].name);
}

bool isMainOrder(const WalkReport& walk, int graph) {
  return walk.schedule && !walk.schedule->graphs.empty() && walk.schedule->graphs.front().graph == graph;
}

const GraphSchedule* scheduleOf(const WalkReport& walk, int graph) {
  if (!walk.schedule) return nullptr;
  for (const GraphSchedule& schedule : walk.schedule->graphs)
    if (schedule.graph == graph) return &schedule;
  return nullptr;
}

}  // namespace cutaway::ui
