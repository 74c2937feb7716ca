// Inputs & outputs: what every value is, the rule that decided it, and the steps that can be followed one by one.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QToolButton>

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

class ResolvePanel : public StagePanel {
 public:
  ResolvePanel(const PanelContext& context, QWidget* parent) : StagePanel(context, QStringLiteral("resolve"), parent) {
    addTop(makeReplay());
    m_values = addTable(tr("Values"));
    m_steps = addTable(tr("Steps of the rule"));
    m_warnings = addTable(tr("Warnings"));
  }

 private:
  // The rule's steps one by one: back, forward, a slider, and the sentence of the step.
  QWidget* makeReplay() {
    auto* replay = new QWidget;
    auto* column = new QVBoxLayout(replay);
    column->setContentsMargins(kSpaceLarge, 0, kSpaceLarge, kSpace);
    column->setSpacing(kSpaceSmall);
    auto* row = new QHBoxLayout;
    const auto button = [this, row](const QString& sign, const QString& name, int by) {
      auto* made = new QToolButton;
      made->setText(sign);
      made->setToolTip(name);
      made->setAccessibleName(name);
      made->setAutoRepeat(true);
      row->addWidget(made);
      connect(made, &QToolButton::clicked, this, [this, by] { m_slider->setValue(m_slider->value() + by); });
    };
    button(QStringLiteral("\u2039"), tr("Previous step of the rule"), -1);
    m_slider->setAccessibleName(tr("Step of the rule"));
    row->addWidget(m_slider, 1);
    button(QStringLiteral("\u203a"), tr("Next step of the rule"), 1);
    column->addLayout(row);
    m_sentence->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_sentence->setMinimumHeight(
        2 * m_sentence->fontMetrics().lineSpacing());  // two lines, so that the table below stays where it is
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setProperty("role", "secondary");
    column->addWidget(m_sentence);
    connect(m_slider, &QSlider::valueChanged, this, &ResolvePanel::showStep);
    return replay;
  }

  void resetReplay(std::shared_ptr<const ResolveReport> report, std::shared_ptr<const ModelGraphs> graphs) {
    m_report = std::move(report);
    m_graphs = std::move(graphs);
    const int count = m_report ? static_cast<int>(m_report->steps.size()) : 0;
    const QSignalBlocker quiet(m_slider);
    m_slider->setRange(0, count);
    m_slider->setValue(0);
    m_slider->setPageStep(std::max(1, count / 20));
    m_slider->setEnabled(count > 0);
    showSteps(count > 0);
  }

  // How many values the steps are about, and in the tip what decided the others.
  void showSteps(bool any) {
    m_sentence->setText(QString());
    m_sentence->setToolTip(QString());
    if (!any) return;
    std::vector<std::pair<int32_t, int32_t>> stepped;
    for (const ResolveStep& step : m_report->steps) {
      if (step.value >= 0) stepped.emplace_back(step.graph, step.value);
    }
    std::ranges::sort(stepped);
    stepped.erase(std::ranges::unique(stepped).begin(), stepped.end());
    int64_t constants = 0, made = 0, outer = 0, unused = 0;
    for (const ValueRule& value : m_report->values) {
      if (std::ranges::binary_search(stepped, std::pair(value.graph, value.value))) continue;
      constants += value.role == ValueRole::kConstant;
      made += value.role == ValueRole::kIntermediate;
      outer += value.role == ValueRole::kOuterScope;
      unused += value.role == ValueRole::kUnused;
    }
    m_sentence->setText(tr("%1 steps of the rule decided %2 of %3 values: follow them here.")
                            .arg(countText(static_cast<int64_t>(m_report->steps.size())),
                                 countText(static_cast<int64_t>(stepped.size())),
                                 countText(static_cast<int64_t>(m_report->values.size()))));
    QStringList others;
    if (constants > 0) others << tr("%1 constant by their initializers").arg(countText(constants));
    if (made > 0) others << tr("%1 made and read by nodes").arg(countText(made));
    if (outer > 0) others << tr("%1 of a graph around theirs").arg(countText(outer));
    if (unused > 0) others << tr("%1 used by nobody").arg(countText(unused));
    if (!others.isEmpty())
      m_sentence->setToolTip(tr("The others need no step: %1.").arg(others.join(QStringLiteral(", "))));
  }

  // Position 0 is before the first step.
  void showStep(int position) {
    if (position == 0) return resetReplay(m_report, m_graphs);
    const ResolveStep& step = m_report->steps[position - 1];
    m_sentence->setText(tr("%1 of %2: %3").arg(position).arg(m_report->steps.size()).arg(text(step.text)));
    // Both the node that was looked at and the value it decided about are marked, and kept in sight.
    if (step.node >= 0) document().selection().selectNode({GraphVersion::kLoaded, step.graph, step.node});
    if (step.value >= 0) {
      document().selection().selectValue({step.graph, valueName(m_graphs.get(), step.graph, step.value)});
    } else if (step.node < 0) {
      document().selection().clear();
    }
  }

  const void* source(const WalkReport& walk) const override { return walk.resolve.get(); }

  void fill(const WalkReport& walk) override {
    const auto report = walk.resolve;
    const auto graphs = walk.loadedGraphs;
    resetReplay(graphs ? report : nullptr, graphs);
    if (!report || !graphs) {
      setFacts({});
      for (ReportModel* model : {m_values, m_steps, m_warnings})
        model->present({});
      return;
    }
    std::array<int, 8> roles{};
    for (const ValueRule& value : report->values)
      ++roles[static_cast<size_t>(value.role) & 7];
    QStringList open;
    for (const std::string& symbol : report->openSymbols)
      open << text(symbol);
    const auto count = [&](ValueRole role) { return countText(roles[static_cast<size_t>(role)]); };
    setFacts(
        {{tr("Inputs"), count(ValueRole::kInput)},
         {tr("Outputs"), count(ValueRole::kOutput)},
         {tr("Overridable initializers"), count(ValueRole::kOverridableInitializer)},
         {tr("Constants"), count(ValueRole::kConstant)},
         {tr("Intermediates"), count(ValueRole::kIntermediate)},
         {tr("Read from outside"), count(ValueRole::kOuterScope)},
         {tr("Shapes known, symbolic, unknown"),
          QStringLiteral("%1, %2, %3").arg(report->knownShapes).arg(report->symbolicShapes).arg(report->unknownShapes)},
         {tr("Open dimensions"), open.isEmpty() ? tr("none") : open.join(QStringLiteral(", "))},
         {tr("Functions inlined"), countText(report->inlinedFunctions)}});
    fillValues(report, graphs);
    fillSteps(report, graphs);
    m_warnings->present(rowsOf<ModelWarning>(
        partOf(report, report->warnings),
        {{.title = tr("Node"), .text = &ModelWarning::node},
         {.title = tr("Value"), .text = &ModelWarning::value},
         {.title = tr("Warning"), .text = [](const ModelWarning& warning) { return told(warning.message); }}}));
    setTabShown(2, !report->warnings.empty());
  }

  void fillValues(const std::shared_ptr<const ResolveReport>& report,
                  const std::shared_ptr<const ModelGraphs>& graphs) {
    m_values->present(rowsOf<ValueRule>(
        partOf(report, report->values),
        {{.title = tr("Value"),
          .text = [graphs](const ValueRule& rule) { return valueName(graphs.get(), rule.graph, rule.value); }},
         {.title = tr("Role"),
          .text = [](const ValueRule& rule) { return valueRoleName(rule.role); },
          .key = [](const ValueRule& rule) { return static_cast<int>(rule.role); }},
         {.title = tr("Type"),
          .text = [graphs](const ValueRule& rule) { return graphs->graphs[rule.graph].values[rule.value].type; }},
         {.title = tr("Rule"), .text = &ValueRule::rule},
         {.title = tr("Because"), .text = &ValueRule::text},
         {.title = tr("Graph"), .text = [graphs](const ValueRule& rule) { return graphs->graphs[rule.graph].title; }}},
        [graphs](const ValueRule& rule) {
          return RowTarget{{}, {rule.graph, valueName(graphs.get(), rule.graph, rule.value)}};
        }));
  }

  void fillSteps(const std::shared_ptr<const ResolveReport>& report, const std::shared_ptr<const ModelGraphs>& graphs) {
    struct StepPlace {
      int place;
      const ResolveStep* step;
    };
    std::vector<StepPlace> steps;
    for (const ResolveStep& step : report->steps)
      steps.push_back({static_cast<int>(steps.size()), &step});
    m_steps->present(rowsOf<StepPlace>(
        listOf(std::move(steps), report),
        {{.title = tr("Step"),
          .kind = Column::kNumber,
          .text = [](const StepPlace& at) { return QString::number(at.place + 1); },
          .key = &StepPlace::place},
         {.title = tr("List"),
          .text =
              [](const StepPlace& at) {
                return at.step->list.empty()
                           ? QStringLiteral("\u2013")
                           : QString(QLatin1Char(at.step->added ? '+' : '-')) + QLatin1Char(' ') + text(at.step->list);
              }},
         {.title = tr("Value"),
          .text = [graphs](const StepPlace& at) { return valueName(graphs.get(), at.step->graph, at.step->value); }},
         {.title = tr("What happened"), .text = [](const StepPlace& at) { return at.step->text; }},
         {.title = tr("Rule"), .text = [](const StepPlace& at) { return at.step->rule; }},
         {.title = tr("At node"),
          .text = [graphs](const StepPlace& at) { return nodeName(graphs.get(), at.step->graph, at.step->node); }}},
        [graphs](const StepPlace& at) {
          const ResolveStep& step = *at.step;
          RowTarget target;
          if (step.value >= 0) target.value = {step.graph, valueName(graphs.get(), step.graph, step.value)};
          if (step.node >= 0) target.node = {GraphVersion::kLoaded, step.graph, step.node};
          return target;
        }));
  }

  QSlider* m_slider = new QSlider(Qt::Horizontal);
  QLabel* m_sentence = new QLabel;
  std::shared_ptr<const ResolveReport> m_report;
  std::shared_ptr<const ModelGraphs> m_graphs;
  ReportModel* m_values;
  ReportModel* m_steps;
  ReportModel* m_warnings;
};

}  // namespace

const PanelDescriptor& panel_resolve() {
  static const PanelDescriptor descriptor{.id = "resolve",
                                          .title = "Inputs & outputs",
                                          .icon = "stage-resolve",
                                          .area = PanelArea::kStage,
                                          .stage = Stage::kResolve,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new ResolvePanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
