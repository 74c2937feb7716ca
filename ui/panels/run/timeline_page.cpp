#include "ui/panels/run/timeline_page.h"

#include <algorithm>
#include <map>

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/operator_family.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/panels/run/parts_bar.h"
#include "ui/panels/run/timeline/memory_chart.h"
#include "ui/panels/run/timeline/timeline.h"

namespace cutaway::ui {
namespace {

constexpr size_t kOperatorsNamed = 3;
constexpr int kWide = 800;                                                 // pixels, before the size of text
constexpr int kBreakdownFrom = 280, kLegendFrom = 200, kMemoryFrom = 170;  // of the page's height, before text size
constexpr int kLegendPlace = 4;                       // in the line of the buttons, after the colourings
constexpr int kLanesShare = 620, kMemoryShare = 380;  // of the width where they stand side by side
const QString kColoursKey = QStringLiteral("run/timeline/colours");
const QString kSplitterKey = QStringLiteral("run/timeline/splitter");

QToolButton* textButton(const QString& words, const QString& tip) {
  auto* button = new QToolButton;
  button->setText(words);
  button->setToolTip(tip);
  button->setToolButtonStyle(Qt::ToolButtonTextOnly);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace

std::vector<BarPart> breakdownParts(const RunReport& run) {
  const MemoryBreakdown& b = run.breakdown;
  const int64_t weights = b.weightsBytes > 0 ? b.weightsBytes : run.weightsBytes;
  if (weights + b.packedBytes + b.activationsBytes + b.arenaBytes + b.workspaceBytes <= 0) return {};
  const PatternCacheStatistics& cache = run.patternCache;
  const auto tr = [](const char* words) { return QObject::tr(words); };
  std::vector<BarPart> parts = {
      {tr("Weights"), weights, 0, sizeText(weights),
       b.residentWeightsBytes >= 0
           ? tr("As the model has them; in memory now: %1").arg(sizeText(b.residentWeightsBytes))
           : tr("As the model has them"),
       QLatin1Char('W')},
      {tr("Packed"), b.packedBytes, 5, sizeText(b.packedBytes),
       b.sharedPackedBytes > 0
           ? tr("In the layouts that kernels want; shared with other sessions: %1").arg(sizeText(b.sharedPackedBytes))
           : tr("Weights in the layouts that kernels want"),
       QLatin1Char('P')},
      {tr("Activations"), b.activationsBytes, 1, sizeText(b.activationsBytes),
       cache.hits + cache.misses > 0
           ? tr("Blocks of the memory pattern. Patterns by feed shapes: %1 hits, %2 misses, %3 evictions")
                 .arg(countText(cache.hits), countText(cache.misses), countText(cache.evictions))
           : tr("Blocks of the memory pattern"),
       QLatin1Char('A')},
      {tr("Arena"), b.arenaBytes, 2, sizeText(b.arenaBytes),
       tr("Values whose size was not known before the run. %1 requests, grew %2 times, %3 in use at most")
           .arg(countText(run.arena.allocations))
           .arg(run.arena.extensions)
           .arg(sizeText(run.arena.peakInUseBytes)),
       QLatin1Char('R')},
      {tr("Workspace"), b.workspaceBytes, 4, sizeText(b.workspaceBytes), tr("Scratch of kernels"), QLatin1Char('S')}};
  return parts;
}

std::vector<BarPart> colouringParts(const RunView& view, Colouring colouring) {
  std::map<int, int64_t> times;
  int64_t all = 0;
  for (const NodeTiming& timing : view.run->nodes) {
    const NodeReport* node = view.node(timing.graph, timing.node);
    const int category = !node ? kEngineCategory
                         : colouring == Colouring::kOperator
                             ? operatorFamily(*node)
                             : view.marks.indexOf(view.providerOf(timing).toStdString());
    times[category] += timing.totalNs;
    all += timing.totalNs;
  }
  std::vector<BarPart> parts;
  for (const auto& [category, timeNs] : times) {
    QString name = category == kEngineCategory ? QObject::tr("Not in this model") : QObject::tr("Other");
    QChar letter = QLatin1Char('?');
    if (category >= 0) {
      name = colouring == Colouring::kOperator ? operatorFamilyName(category)
                                               : view.marks.names[static_cast<size_t>(category)];
      letter = colouring == Colouring::kOperator ? operatorFamilyLetter(category)
                                                 : view.marks.letters[static_cast<size_t>(category)];
    }
    parts.push_back({name, timeNs, category,
                     percentText(all > 0 ? static_cast<double>(timeNs) / static_cast<double>(all) : 0),
                     timeText(timeNs), letter});
  }
  std::stable_sort(parts.begin(), parts.end(), [](const BarPart& a, const BarPart& b) { return a.amount > b.amount; });
  return parts;
}

TimelinePage::TimelinePage(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_timeline(new Timeline(context, &m_window)),
      m_memory(new MemoryChart(context.themes, &m_window)),
      m_memoryOf(new QComboBox),
      m_legend(new PartsBar(context.themes)),
      m_breakdown(new PartsBar(context.themes)),
      m_splitter(new QSplitter(Qt::Vertical)),
      m_column(new QVBoxLayout(this)),
      m_colours(new QButtonGroup(this)),
      m_totals(new QLabel),
      m_release(new QPushButton(tr("Show all"))) {
  m_legend->setBarShown(false);
  m_legend->setAccessibleName(tr("Colours of the timeline"));
  m_breakdown->setAccessibleName(tr("Memory that the session holds"));
  m_splitter->addWidget(m_timeline);
  m_splitter->addWidget(m_memory);
  m_splitter->setStretchFactor(0, 0);  // lanes keep their height, memory gives way
  m_splitter->setStretchFactor(1, 1);
  m_splitter->setChildrenCollapsible(false);
  m_splitter->restoreState(context.viewState->get(kSplitterKey).toByteArray());
  m_totals->setProperty("role", "secondary");
  m_totals->setMinimumWidth(20);
  auto* bottom = new QHBoxLayout;
  bottom->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, kSpaceSmall);
  bottom->setSpacing(kSpace);
  bottom->addWidget(m_totals, 1);
  m_memoryOf->setObjectName(QStringLiteral("run/memoryOf"));
  m_memoryOf->setAccessibleName(tr("Whose memory is shown"));
  m_memoryOf->setToolTip(tr("Whose memory the chart below the lanes shows"));
  m_memoryOf->hide();
  bottom->addWidget(m_memoryOf);
  connect(m_memoryOf, &QComboBox::activated, this, &TimelinePage::showMemory);
  bottom->addWidget(m_release);
  m_release->hide();
  m_column->setContentsMargins(0, 0, 0, 0);
  m_column->setSpacing(0);
  m_column->addWidget(makeTop());
  m_column->addWidget(m_legend);
  m_column->addLayout(bottom);
  m_column->addWidget(m_splitter, 1);
  m_column->addWidget(m_breakdown);
  connect(&m_window, &TimeWindow::rangeChanged, this, &TimelinePage::showTotals);
  connect(&m_window, &TimeWindow::rangeSettled, this, &TimelinePage::settle);
  linkPlayhead();
  connect(m_splitter, &QSplitter::splitterMoved, this,
          [this] { m_context.viewState->put(kSplitterKey, m_splitter->saveState()); });
  connect(m_release, &QPushButton::clicked, this, [this] {
    m_window.setRange({});
    m_window.settleRange();
  });
}

TimelinePage::~TimelinePage() = default;

QWidget* TimelinePage::makeTop() {
  auto* box = new QWidget;
  auto* row = m_top = new QHBoxLayout(box);
  row->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, 0);
  row->setSpacing(kSpaceTiny);
  auto* words = new QLabel(tr("Colours"));
  words->setProperty("role", "faint");
  row->addWidget(words);
  row->addSpacing(kSpaceSmall);
  const QString titles[] = {tr("Operator"), tr("Provider")};
  for (int i = 0; i < kColourings; ++i) {
    QToolButton* button = textButton(titles[i], tr("Colour the spans by %1").arg(titles[i].toLower()));
    button->setCheckable(true);
    m_colours->addButton(button, i);
    row->addWidget(button);
  }
  row->addStretch();
  QToolButton* keys =
      textButton(QStringLiteral("?"),
                 tr("Ctrl+wheel or W and S: zoom at the pointer\nDrag: choose a range; graph and tables show what ran "
                    "in it\nShift+drag or A and D: move\nClick: select the node and go to its step; double click or 0: "
                    "all of the run\n. and ,: next and previous span; F: centre it, then fit it\nM: mark; R: range of "
                    "the span, or between the last two marks\nEsc: clear the range or the selection"));
  keys->setAccessibleName(tr("Keys of the timeline"));
  row->addWidget(keys);
  QToolButton* closer = textButton(QStringLiteral("+"), tr("Zoom in (W, +)"));
  QToolButton* away = textButton(QStringLiteral("\u2212"), tr("Zoom out (S, \u2212)"));
  QToolButton* fit = textButton(tr("Fit"), tr("All of the run (0, double click)"));
  for (QToolButton* button : {closer, away, fit})
    row->addWidget(button);
  const auto middle = [this] { return (m_window.view().beginNs + m_window.view().endNs) / 2; };
  connect(keys, &QToolButton::clicked, keys,
          [keys] { QToolTip::showText(keys->mapToGlobal(QPoint(0, keys->height())), keys->toolTip(), keys); });
  connect(closer, &QToolButton::clicked, this, [this, middle] { m_window.zoomAt(middle(), 1.6); });
  connect(away, &QToolButton::clicked, this, [this, middle] { m_window.zoomAt(middle(), 1 / 1.6); });
  connect(fit, &QToolButton::clicked, &m_window, &TimeWindow::fit);
  connect(m_colours, &QButtonGroup::idClicked, this, &TimelinePage::setColouring);
  const int chosen = std::clamp(m_context.viewState->get(kColoursKey, 0).toInt(), 0, kColourings - 1);
  m_colours->button(chosen)->setChecked(true);
  m_timeline->setColouring(chosen);
  return box;
}

void TimelinePage::setColouring(int colouring) {
  m_timeline->setColouring(colouring);
  m_context.viewState->put(kColoursKey, colouring);
  showLegend();
}

void TimelinePage::showLegend() {
  m_legend->present(m_view ? colouringParts(*m_view, static_cast<Colouring>(m_timeline->colouring()))
                           : std::vector<BarPart>());
}

void TimelinePage::present(std::shared_ptr<const RunView> view, const QString& empty) {
  m_view = std::move(view);
  TimelineContent content;
  content.empty = empty;
  if (m_view) {
    content.lanes = m_view->lanes;
    content.label = [held = m_view](const TraceSpan& span) { return held->spanLabel(span); };
    content.facts = [held = m_view](const TraceSpan& span) { return held->spanFacts(span); };
    content.letter = [held = m_view](int category, int colouring) {
      if (category < 0) return QChar();
      return colouring == 0 ? operatorFamilyLetter(category)
             : category < static_cast<int>(held->marks.letters.size())
                 ? held->marks.letters[static_cast<size_t>(category)]
                 : QChar();
    };
  }
  presentMemory(empty);
  m_timeline->present(std::move(content));
  m_breakdown->present(m_view ? breakdownParts(*m_view->run) : std::vector<BarPart>());
  m_steps = m_view ? stepTimes(*m_view, m_context.document->steps()) : StepTimes();
  m_shownRange.reset();
  followPlayhead();
  showLegend();
  showTotals();
  arrange();
  makeRoom();
}

// The choice stays with its place by name, so that running again does not change what is looked at.
void TimelinePage::presentMemory(const QString& empty) {
  m_places = m_view ? memoryOf(*m_view) : std::vector<PlaceMemory>(1);
  if (!empty.isEmpty())
    for (PlaceMemory& place : m_places)
      place.series.empty.clear();
  const QString chosen = m_memoryOf->currentData().toString();
  const QSignalBlocker quiet(m_memoryOf);
  m_memoryOf->clear();
  for (const PlaceMemory& place : m_places)
    m_memoryOf->addItem(tr("Memory of %1").arg(place.title), place.title);
  m_memoryOf->setCurrentIndex(std::max(0, m_memoryOf->findData(chosen)));
  m_memoryOf->setVisible(m_places.size() > 1);
  showMemory();
}

void TimelinePage::showMemory() {
  m_memory->present(m_places[static_cast<size_t>(std::max(0, m_memoryOf->currentIndex()))].series);
}

// A wide page is seldom high: its legend shares the line of the buttons, and where lanes and memory do not fit above
// each other they stand side by side. A low page shows less.
void TimelinePage::arrange() {
  const bool wide = width() >= scaled(kWide);
  if (wide && m_legend->parentWidget() == this)
    m_top->insertWidget(kLegendPlace, m_legend, 1);
  else if (!wide && m_legend->parentWidget() != this)
    m_column->insertWidget(1, m_legend);
  // The lanes keep what height there is.
  m_breakdown->setVisible(m_breakdown->heightForWidth(width()) > 0 && height() >= scaled(kBreakdownFrom));
  m_legend->setVisible(wide || height() >= scaled(kLegendFrom));
  const bool known = m_view && (!m_places[0].series.samples.empty() || m_view->run->source.empty());
  m_memory->setVisible(known && (wide || height() >= scaled(kMemoryFrom)));
  const int high = m_timeline->sizeHint().height() + m_memory->sizeHint().height();
  const Qt::Orientation orientation = wide && m_splitter->height() < high ? Qt::Horizontal : Qt::Vertical;
  if (orientation == m_splitter->orientation()) return;
  m_splitter->setOrientation(orientation);
  makeRoom();
}

void TimelinePage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

// As much height as the lanes need, the rest for memory; until somebody moves the line between them.
void TimelinePage::makeRoom() {
  if (m_context.viewState->get(kSplitterKey).isValid()) return;
  layout()->activate();  // legends may have come or gone
  if (m_splitter->orientation() == Qt::Horizontal) return m_splitter->setSizes({kLanesShare, kMemoryShare});
  const int wanted = m_timeline->sizeHint().height(),
            all = std::max(m_splitter->height(), wanted + m_memory->minimumSizeHint().height());
  m_splitter->setSizes({std::min(wanted, all * 2 / 3), all - std::min(wanted, all * 2 / 3)});
}

void TimelinePage::showTotals() {
  const auto& range = m_window.range();
  m_release->setVisible(range.has_value());
  if (!m_view || m_view->lanes->empty()) return m_totals->setText({});
  const TimeRange whole{static_cast<double>(m_view->lanes->beginNs), static_cast<double>(m_view->lanes->endNs)};
  const RangeTotals totals = rangeTotals(*m_view, range.value_or(whole));
  const double lanes = static_cast<double>(m_view->lanes->lanes.size()),
               length = std::max(1.0, range.value_or(whole).lengthNs());
  QStringList operators;
  int64_t all = 0;
  for (const OperatorShare& share : totals.operators)
    all += share.timeNs;
  for (size_t i = 0; i < std::min(kOperatorsNamed, totals.operators.size()) && all > 0; ++i)
    operators << QStringLiteral("%1 %2").arg(
        totals.operators[i].name,
        percentText(static_cast<double>(totals.operators[i].timeNs) / static_cast<double>(all)));
  QString words =
      tr("%1, %2 busy, %3")
          .arg(timeText(static_cast<int64_t>(length)), percentText(static_cast<double>(totals.busyNs) / length / lanes),
               totals.nodes == 1 ? tr("1 node") : tr("%1 nodes").arg(countText(totals.nodes)));
  if (!operators.isEmpty()) words += QStringLiteral(": ") + operators.join(QStringLiteral(", "));
  // Medians stand above and in the tables: these are one run's.
  if (m_view->run->runs > 1 && m_view->run->source.empty())
    words =
        m_view->spansFromTimes ? tr("%1. Bars are medians of the runs").arg(words) : tr("Fastest run: %1").arg(words);
  m_totals->setText(words);
  m_totals->setToolTip(words);
}

void TimelinePage::settle() {
  rangeToSteps();
  const auto& range = m_window.range();
  if (!m_view || !range) {
    if (std::exchange(m_restricted, false)) emit rangeChosen(nullptr, {});
    return;
  }
  m_restricted = true;
  emit rangeChosen(
      std::make_shared<const RangeTotals>(rangeTotals(*m_view, *range)),
      tr("Ran between %1 and %2")
          .arg(timeText(static_cast<int64_t>(range->beginNs)), timeText(static_cast<int64_t>(range->endNs))));
}

}  // namespace cutaway::ui
