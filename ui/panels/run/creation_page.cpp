#include "ui/panels/run/creation_page.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include <QLabel>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/report_model.h"
#include "ui/panels/run/run_view.h"
#include "ui/panels/run/timeline/timeline.h"

namespace cutaway::ui {
namespace {

constexpr size_t kMostRows = 2'000;

// Own time of every span: its length without what stands right below it.
std::vector<int64_t> ownTimes(const TraceLanes& lanes) {
  std::vector<int64_t> own(lanes.spans->size());
  for (size_t r = 0; r < lanes.rows.size(); ++r)
    for (const TraceBar& bar : lanes.rows[r].bars) {
      own[static_cast<size_t>(bar.span)] += bar.endNs - bar.startNs;
      if (lanes.rows[r].depth == 0) continue;
      const TraceRow& outer = lanes.rows[r - 1];
      const int holder =
          barAt(outer, static_cast<double>(bar.startNs) + 0.5 * static_cast<double>(bar.endNs - bar.startNs), 0);
      if (holder >= 0)
        own[static_cast<size_t>(outer.bars[static_cast<size_t>(holder)].span)] -= bar.endNs - bar.startNs;
    }
  for (int64_t& each : own)
    each = std::max<int64_t>(0, each);
  return own;
}

// What it is a part of; empty for the stages themselves.
QString stageOf(const CreationView& view, const LongSpan& longest, const TraceSpan& span) {
  if (span.depth <= view.stageDepth || longest.stage < 0 || static_cast<size_t>(longest.stage) >= view.stages.size())
    return {};
  return text(view.stages[static_cast<size_t>(longest.stage)]);
}

ReportRows longestRows(const std::shared_ptr<const CreationView>& view) {
  using Spans = ColumnOf<LongSpan>;
  const auto tr = [](const char* words) { return QObject::tr(words); };
  const auto at = [view](const LongSpan& longest) -> const TraceSpan& {
    return (*view->spans)[static_cast<size_t>(longest.span)];
  };
  const auto duration = [at](const LongSpan& longest) { return at(longest).durationNs; };
  std::vector<Spans> columns = {
      {.title = tr("What"), .text = [at](const LongSpan& longest) { return at(longest).name; }},
      {.title = tr("Within"),
       .text = [view, at](const LongSpan& longest) { return stageOf(*view, longest, at(longest)); }},
      Spans::figure(tr("Time"), duration, timeText),
      {.title = tr("Share"),
       .kind = Spans::kNumber,
       .text =
           [view, duration](const LongSpan& longest) {
             return percentText(
                 view->totalNs > 0 ? static_cast<double>(duration(longest)) / static_cast<double>(view->totalNs) : 0);
           },
       .key = duration},
      Spans::figure(tr("Itself"), &LongSpan::selfNs, timeText, tr("Without the spans below it")),
      Spans::figure(
          tr("Starts at"), [at](const LongSpan& longest) { return at(longest).startNs; }, timeText),
      {.title = tr("Thread"), .text = [at](const LongSpan& longest) { return threadText(at(longest).thread); }}};
  return rowsOf<LongSpan>(partOf(view, view->longest), std::move(columns), [at](const LongSpan& longest) {
    return RowTarget{{GraphVersion::kPartitioned, at(longest).graph, at(longest).node}, {}};
  });
}

HoverFacts factsOf(const CreationView& view, const TraceSpan& span) {
  const auto tr = [](const char* words) { return QObject::tr(words); };
  HoverFacts facts;
  facts.title = text(span.name);
  facts.rows = {{tr("Takes"), tr("%1, %2 of all")
                                  .arg(timeText(span.durationNs),
                                       percentText(view.totalNs > 0 ? static_cast<double>(span.durationNs) /
                                                                          static_cast<double>(view.totalNs)
                                                                    : 0))},
                {tr("Starts at"), timeText(span.startNs)}};
  return facts;
}

}  // namespace

CreationView creationView(std::shared_ptr<const std::vector<TraceSpan>> spans) {
  CreationView view;
  view.spans = std::move(spans);
  if (!view.spans) return view;
  // Everything below an outermost span has its colour; equal names have equal colours.
  std::unordered_map<std::string, int8_t> categories;
  std::unordered_map<int32_t, int8_t> open;  // by thread
  // Where one span holds all others, its parts are the stages.
  const auto outermost = std::count_if(view.spans->begin(), view.spans->end(),
                                       [](const TraceSpan& span) { return span.depth == 0 && span.thread == 0; });
  view.stageDepth = outermost == 1 && view.spans->size() > 1 ? 1 : 0;
  const auto categoryOf = [&](const TraceSpan& span) -> BarCategories {
    if (span.depth < view.stageDepth) return {kEngineCategory, kEngineCategory};
    if (span.depth == view.stageDepth) {
      const auto [entry, added] = categories.try_emplace(span.name, static_cast<int8_t>(view.stages.size() % 120));
      if (added) view.stages.push_back(span.name);
      open[span.thread] = entry->second;
    }
    const int8_t category = open.try_emplace(span.thread, int8_t{kEngineCategory}).first->second;
    return {category, category};
  };
  view.lanes = std::make_shared<const TraceLanes>(traceLanes(view.spans, categoryOf, [](int32_t thread) {
    return thread == 0 ? QObject::tr("Main thread") : QObject::tr("Thread %1").arg(thread);
  }));
  view.totalNs = view.lanes->endNs - view.lanes->beginNs;
  const std::vector<int64_t> own = ownTimes(*view.lanes);
  std::vector<int32_t> order(view.spans->size());
  std::iota(order.begin(), order.end(), 0);
  const auto longer = [&](int32_t a, int32_t b) {
    return (*view.spans)[static_cast<size_t>(a)].durationNs != (*view.spans)[static_cast<size_t>(b)].durationNs
               ? (*view.spans)[static_cast<size_t>(a)].durationNs > (*view.spans)[static_cast<size_t>(b)].durationNs
               : a < b;
  };
  const size_t kept = std::min(kMostRows, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(), longer);
  std::vector<int8_t> stages(view.spans->size(), kEngineCategory);
  for (const TraceRow& row : view.lanes->rows)
    for (const TraceBar& bar : row.bars)
      stages[static_cast<size_t>(bar.span)] = bar.category[0];
  for (size_t i = 0; i < kept; ++i)
    view.longest.push_back({order[i], own[static_cast<size_t>(order[i])], stages[static_cast<size_t>(order[i])]});
  return view;
}

QString creationSentence(const CreationView& view) {
  if (!view.spans || view.spans->empty()) return {};
  const auto tr = [](const char* words) { return QObject::tr(words); };
  const TraceSpan* stage = nullptr;
  const TraceSpan* inside = nullptr;
  for (const LongSpan& longest : view.longest) {
    const TraceSpan& span = (*view.spans)[static_cast<size_t>(longest.span)];
    if (span.depth == view.stageDepth && !stage) stage = &span;
    if (stage && span.depth > view.stageDepth && !inside && span.thread == stage->thread &&
        span.startNs >= stage->startNs && span.startNs + span.durationNs <= stage->startNs + stage->durationNs)
      inside = &span;
  }
  QString words = tr("Ready after %1.").arg(timeText(view.totalNs));
  if (stage && view.totalNs > 0)
    words += tr(" \u201c%1\u201d takes %2")
                 .arg(text(stage->name),
                      percentText(static_cast<double>(stage->durationNs) / static_cast<double>(view.totalNs)));
  const bool most = inside && inside->durationNs * 2 > stage->durationNs;
  if (inside)
    words += (most ? tr(", most of it \u201c%1\u201d with %2") : tr(", the longest in it \u201c%1\u201d with %2"))
                 .arg(text(inside->name), timeText(inside->durationNs));
  return stage ? words + QLatin1Char('.') : words;
}

CreationPage::CreationPage(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_sentence(new QLabel),
      m_timeline(new Timeline(context, &m_window)),
      m_model(new ReportModel(this)),
      m_table(new LinkedTable(context, QStringLiteral("run/creation"))) {
  setObjectName(QStringLiteral("run/creation"));
  m_sentence->setProperty("role", "secondary");
  m_sentence->setWordWrap(true);
  m_sentence->setContentsMargins(kSpaceLarge, kSpace, kSpaceLarge, kSpaceSmall);
  m_timeline->setAccessibleName(tr("Flame chart of making the session"));
  m_table->setModel(m_model);
  m_table->view()->setAccessibleName(tr("Spans of the creation"));
  auto* splitter = new QSplitter(Qt::Vertical);
  splitter->addWidget(m_timeline);
  splitter->addWidget(m_table);
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 1);
  splitter->setChildrenCollapsible(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_sentence);
  column->addWidget(splitter, 1);
  connect(m_table->view()->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& current) {
            if (!current.isValid() || !m_view) return;
            const auto row = static_cast<size_t>(m_table->proxy()->mapToSource(current).row());
            if (row < m_view->longest.size()) m_timeline->showSpan(m_view->longest[row].span);
          });
}

void CreationPage::present(std::shared_ptr<const std::vector<TraceSpan>> spans) {
  if (m_presented && (m_view ? m_view->spans : nullptr) == spans) return;
  m_presented = true;
  m_view = spans && !spans->empty() ? std::make_shared<const CreationView>(creationView(spans)) : nullptr;
  TimelineContent content;
  content.empty =
      tr("The time that loading, optimizing, partitioning and making kernels take is shown here once the session is "
         "ready.");
  if (m_view) {
    content.lanes = m_view->lanes;
    content.label = [](const TraceSpan& span) { return text(span.name); };
    content.facts = [held = m_view](const TraceSpan& span) { return factsOf(*held, span); };
  }
  m_sentence->setVisible(m_view != nullptr);
  if (m_view) m_sentence->setText(creationSentence(*m_view));
  m_table->setVisible(m_view != nullptr);
  m_timeline->present(std::move(content));
  m_model->present(m_view ? longestRows(m_view) : ReportRows{});
}

}  // namespace cutaway::ui
