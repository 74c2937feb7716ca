// Pattern: planned memory as a chart (step across, offset up), measured memory over it, what the peak is made of, and
// which strategies were tried.
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableView>

#include "engine/study/formulas/plan_formulas.h"
#include "ui/base/format.h"
#include "ui/base/formula_words.h"
#include "ui/base/partial_amount.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/document/formulas_controller.h"
#include "ui/document/window_words.h"
#include "ui/panels/bar_cell.h"
#include "ui/panels/life_chart.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/pattern/pattern_chart.h"
#include "ui/panels/pattern/pattern_tables.h"
#include "ui/panels/plan_what_if.h"
#include "ui/panels/play_bar.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

class PatternPanel : public StagePanel {
 public:
  PatternPanel(const PanelContext& context, QWidget* parent)
      : StagePanel(context, QStringLiteral("pattern"), parent), m_chart(new LifeChart(context)) {
    addTop(makeChoice());
    addTop(new PlayBar(context));
    addTab(m_chart, tr("Memory"));
    LinkedTable *peak = nullptr, *strategies = nullptr;
    m_peak = addTable(tr("Peak"), &peak);
    m_strategies = addTable(tr("Strategies"), &strategies);
    LinkedTable* blocks = nullptr;
    m_blocks = addTable(tr("Blocks"), &blocks);
    blocks->followRange();
    m_unplanned = addTable(tr("Not planned"));
    LinkedTable* traced = nullptr;
    m_traced = addTable(tr("Allocations of the run"), &traced);
    addWhatIf([context](QWidget* room) { return makePlanWhatIf(context, QStringLiteral("pattern"), room); });
    peak->view()->setItemDelegateForColumn(1, new BarCell(context.themes, peak, 0));
    peak->view()->setItemDelegateForColumn(3, new BarCell(context.themes, peak, 2));
    strategies->view()->setItemDelegateForColumn(1, new BarCell(context.themes, strategies, 0));
    traced->view()->setItemDelegateForColumn(3, new BarCell(context.themes, traced, 0));
    connect(m_choice, &QComboBox::activated, this, [this] { fillGraph(); });
    connect(&FormulasController::of(context.document), &FormulasController::changed, this, [this] {
      showNote();
      fillGraph();
    });
  }

 private:
  enum Tab { kMemory, kPeak, kStrategies, kBlocks, kUnplanned, kTraced };

  // A run brings measured memory, so that the chart is drawn again.
  const void* source(const WalkReport& walk) const override {
    return walk.run ? static_cast<const void*>(walk.run.get()) : walk.pattern.get();
  }

  QWidget* makeChoice() {
    m_choiceRow = new QWidget;
    auto* row = new QHBoxLayout(m_choiceRow);
    row->setContentsMargins(kSpaceLarge, 0, kSpaceLarge, kSpace);
    row->setSpacing(kSpace);
    auto* label = new QLabel(tr("Memory of"));
    label->setProperty("role", "secondary");
    label->setBuddy(m_choice);
    m_choice->setAccessibleName(tr("Graph and device"));
    m_choice->setMinimumContentsLength(16);
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row->addWidget(label);
    row->addWidget(m_choice, 1);
    m_choiceRow->hide();
    return m_choiceRow;
  }

  void fill(const WalkReport& walk) override {
    m_walk = document().walk();
    const auto report = walk.pattern;
    const bool there = report && walk.partitionedGraphs && !report->graphs.empty();
    const QSignalBlocker quiet(m_choice);
    const int before = m_choice->currentIndex();
    m_choice->clear();
    if (there)
      for (const GraphPattern& pattern : report->graphs)
        m_choice->addItem(
            QStringLiteral("%1 \u00b7 %2 \u00b7 %3")
                .arg(shortened(text(walk.partitionedGraphs->graphs[static_cast<size_t>(pattern.graph)].title), 40),
                     text(pattern.device),
                     partialAmount(sizeText(pattern.peakBytes), !pattern.unplanned.empty(), pattern.blocks.empty())));
    m_choice->setCurrentIndex(std::clamp(before, there ? 0 : -1, m_choice->count() - 1));
    m_choiceRow->setVisible(m_choice->count() > 1);
    showNote();
    fillGraph();
  }

  void fillGraph() {
    const int which = m_choice->currentIndex();
    m_chart->present(patternChart(m_walk, which));
    if (which < 0) {
      setFacts({});
      for (ReportModel* model : {m_peak, m_strategies, m_blocks, m_unplanned, m_traced})
        model->present({});
      return;
    }
    const GraphPattern& pattern = m_walk->pattern->graphs[static_cast<size_t>(which)];
    const bool isRun = pattern.graph == 0 && m_walk->run && m_walk->run->profiled;
    study::AllocationTrace trace = isRun ? study::allocationTrace(*m_walk) : study::AllocationTrace();
    fillFacts(pattern, trace);
    setTabShown(kTraced, !trace.allocations.empty());
    m_traced->present(trace.allocations.empty() ? ReportRows() : tracedRows(m_walk, std::move(trace)));
    m_peak->present(peakRows(m_walk, which));
    m_strategies->present(strategyRows(m_walk, which));
    m_blocks->present(blockRows(m_walk, which));
    m_unplanned->present(unplannedRows(m_walk, which));
    setTabShown(kStrategies, m_walk->pattern->eligible && !pattern.strategies.empty());
    setTabShown(kBlocks, m_walk->pattern->eligible);
    setTabShown(kUnplanned, !pattern.unplanned.empty());
    const QString peak = m_walk->pattern->eligible ? tr("Peak") : tr("Most bytes alive");
    setTabTitle(kPeak, pattern.peak.empty() ? peak : QStringLiteral("%1 (%2)").arg(peak).arg(pattern.peak.size()));
    setTabTitle(kBlocks, tr("Blocks (%1)").arg(countText(static_cast<int64_t>(pattern.blocks.size()))));
    setTabTitle(kUnplanned, tr("Not planned (%1)").arg(pattern.unplanned.size()));
  }

  // Of the device that the pattern is about; 0: not measured.
  int64_t measuredPeak(const GraphPattern& pattern) const {
    if (!m_walk->run || pattern.graph != 0) return 0;
    for (const DeviceMemoryReport& device : m_walk->run->deviceMemory)
      if (device.device == pattern.device) return device.measuredPeakBytes;
    return m_walk->run->measuredPeakBytes;
  }

  void fillFacts(const GraphPattern& pattern, const study::AllocationTrace& trace) {
    const auto share = [](int64_t part, int64_t whole) {
      return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
    };
    const QString above =
        pattern.peakBytes <= pattern.lowerBoundBytes
            ? tr("reached")
            : tr("+%1 above it")
                  .arg(percentText(share(pattern.peakBytes - pattern.lowerBoundBytes, pattern.lowerBoundBytes)));
    QString node;
    if (const GraphSchedule* schedule = scheduleOf(*m_walk, pattern.graph);
        schedule && pattern.peakStep >= 0 && pattern.peakStep < static_cast<int>(schedule->steps.size()))
      node = QStringLiteral(", ") + nodeName(m_walk->partitionedGraphs.get(), pattern.graph,
                                             schedule->steps[static_cast<size_t>(pattern.peakStep)].node);
    QString strategy = text(m_walk->pattern->strategy);
    for (const StrategyResult& each : pattern.strategies)
      if (each.chosen) strategy = text(each.name);
    // What has no size yet is in none of the sums: they are least amounts, and what they would say together is unknown.
    const bool open = !pattern.unplanned.empty();
    const bool empty = m_walk->pattern->eligible ? pattern.blocks.empty() : pattern.peakBytes == 0;
    const QString none = QStringLiteral("\u2013");
    // By formulas where there are some: several bounds are each less than the whole.
    const study::PlanFormulas* formulas =
        open && pattern.graph == 0 ? FormulasController::of(&document()).boundedPlan(pattern.device) : nullptr;
    const auto atLeast = [&](int64_t bytes, const CostFormula* formula = nullptr) {
      return formula ? partialAmount(formulaHeadWords(*formula, sizeText), true, false)
                     : partialAmount(sizeText(bytes), open, empty);
    };
    const CostFormula* bound = formulas ? &formulas->bounds.front() : nullptr;
    const TruthKind kind = !m_walk->pattern->eligible ? TruthKind::kEstimated
                           : open                     ? TruthKind::kPartial
                                                      : TruthKind::kExact;
    const bool planned = m_walk->pattern->eligible;
    Facts facts = {
        {planned ? tr("Peak") : tr("The arena holds, simulated"), atLeast(pattern.peakBytes, bound), kind},
        {planned ? tr("Lower bound") : tr("Most bytes alive"),
         open                ? atLeast(pattern.lowerBoundBytes, bound)
         : empty || !planned ? sizeText(empty ? 0 : pattern.lowerBoundBytes)
                             : tr("%1, %2").arg(sizeText(pattern.lowerBoundBytes), above),
         kind},
        {tr("Without sharing"),
         open || pattern.naiveBytes == 0 ? atLeast(pattern.naiveBytes, formulas ? &formulas->naive : nullptr)
         : !planned  // an arena takes regions, which may be many times as large
             ? sizeText(pattern.naiveBytes)
             : tr("%1, saves %2")
                   .arg(sizeText(pattern.naiveBytes), percentText(1 - share(pattern.peakBytes, pattern.naiveBytes))),
         kind},
        {planned ? tr("Peak at step") : tr("Reached at step"),
         open || empty ? none : QString::number(pattern.peakStep) + node},
        {tr("Fragmentation"), open || empty ? none : percentText(pattern.fragmentation)}};
    if (const int64_t measured = measuredPeak(pattern); measured > 0) {
      facts.push_back({tr("Measured, with workspace"), sizeText(measured), TruthKind::kMeasured});
    } else if (planned) {
      facts.push_back({tr("Strategy"), strategy.isEmpty() ? none : strategy});
    }
    if (!trace.allocations.empty()) {
      facts.push_back({tr("Run: every value by itself"), sizeText(trace.ownPeakBytes)});
      facts.push_back({tr("Run: buffers used again"), sizeText(trace.reusePeakBytes)});
      facts.push_back({tr("Run: one block"), trace.patternPeakBytes < 0 ? none : sizeText(trace.patternPeakBytes)});
    }
    setFacts(facts);
  }

  // Why there is no pattern or what it leaves out, and what the open dimensions make of it, sizes not rounded up.
  void showNote() {
    if (!m_walk->pattern) return setNote({});
    QStringList lines;
    if (!m_walk->pattern->reason.empty()) lines << told(m_walk->pattern->reason);
    if (const auto known = FormulasController::of(&document()).formulas())
      for (const study::PlanFormulas& plan : FormulasController::of(&document()).plans())
        lines << planWords(plan, *known);
    setNote(lines.join(QLatin1Char('\n')));
  }

  QString planWords(const study::PlanFormulas& plan, const study::ModelFormulas& formulas) const {
    const QString naive = formulaWords(plan.naive, formulas.free, sizeText) +
                          (plan.buffersWithout == 1  ? tr(", 1 buffer open")
                           : plan.buffersWithout > 1 ? tr(", %1 buffers open").arg(countText(plan.buffersWithout))
                                                     : QString());
    return (plan.bounds.empty()
                ? tr("By the open dimensions, on %1: without sharing %2").arg(text(plan.device), naive)
                : tr("By the open dimensions, on %1: at least %2; without sharing %3")
                      .arg(text(plan.device), boundsWords(plan.bounds, formulas.free, sizeText), naive)) +
           conditionWords(formulas.multiples);
  }

  LifeChart* m_chart;
  QComboBox* m_choice = new QComboBox;
  QWidget* m_choiceRow = nullptr;
  ReportModel* m_peak;
  ReportModel* m_strategies;
  ReportModel* m_blocks;
  ReportModel* m_unplanned;
  ReportModel* m_traced;
  std::shared_ptr<const WalkReport> m_walk = std::make_shared<const WalkReport>();
};

}  // namespace

const PanelDescriptor& panel_pattern() {
  static const PanelDescriptor descriptor{.id = "pattern",
                                          .title = "Memory plan",
                                          .icon = "stage-pattern",
                                          .area = PanelArea::kStage,
                                          .stage = Stage::kPattern,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new PatternPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
