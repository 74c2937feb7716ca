// Latency and peak over shapes: what the bar under the ribbon lists is planned and run, one session a combination.
#include <QCoreApplication>
#include <QMutex>
#include <QSplitter>

#include "ui/document/document.h"
#include "ui/document/shape_sweeper.h"
#include "ui/panels/shapes/shape_tables.h"
#include "ui/panels/study_panel.h"

namespace cutaway::ui {
namespace {

// What the next start asks for: written by the panel, read by the study's thread.
class Wish {
 public:
  void set(study::SizeLists sizes, int runs) {
    const QMutexLocker lock(&m_mutex);
    m_sizes = std::move(sizes);
    m_runs = runs;
  }
  study::ShapeSweepRequest request(const StudyJob::Input& input) const {
    const QMutexLocker lock(&m_mutex);
    return {.source = input.source,
            .options = input.options,
            .sizes = m_sizes,
            .runs = {.runs = m_runs, .seconds = 0, .warmups = 1}};
  }

 private:
  mutable QMutex m_mutex;
  study::SizeLists m_sizes;
  int m_runs = 0;
};

StudyJob::Study sweepAs(const std::shared_ptr<const Wish>& wish) {
  return [wish](const StudyJob::Input& input, Progress& progress) -> StudyJob::Outcome {
    CUTAWAY_TRY(ShapeSweep sweep, study::sweepShapes(wish->request(input), input.table, progress));
    return std::make_shared<const ShapeSweep>(std::move(sweep));
  };
}

class ShapesPanel : public StudyPanel {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::ShapesPanel)

 public:
  ShapesPanel(const PanelContext& context, QWidget* parent) : ShapesPanel(context, std::make_shared<Wish>(), parent) {}

 private:
  ShapesPanel(const PanelContext& context, std::shared_ptr<Wish> wish, QWidget* parent)
      : StudyPanel(context, sweepAs(wish), QStringLiteral("shapes/rows"), parent),
        m_wish(std::move(wish)),
        m_sweeper(ShapeSweeper::of(context.document)),
        m_latency(new CurveChart(context.themes)),
        m_peak(new CurveChart(context.themes)) {
    auto* charts = new QSplitter(Qt::Horizontal);
    charts->setChildrenCollapsible(false);
    m_latency->setAccessibleName(tr("Latency over shapes"));
    m_peak->setAccessibleName(tr("Planned peak over shapes"));
    charts->addWidget(m_latency);
    charts->addWidget(m_peak);
    setPicture(charts, tr("Curves"), tr("Table"));
    connect(m_sweeper, &ShapeSweeper::requested, this, [this] {
      if (job()->busy()) return;
      m_wish->set(m_sweeper->sizes(), m_sweeper->runs());
      job()->start();
    });
    connect(m_sweeper, &ShapeSweeper::changed, this, [this] {
      m_wish->set(m_sweeper->sizes(), m_sweeper->runs());
      refresh();
    });
    m_wish->set(m_sweeper->sizes(), m_sweeper->runs());
    begin(tr("Figures over shapes"));
  }

  std::shared_ptr<const ShapeSweep> sweep() const { return job()->result<ShapeSweep>(); }
  QString sentence() const override { return sweepSentence(*sweep()); }
  ReportRows rows() const override { return shapeRows(sweep()); }
  void updateButtons(bool) override {}
  std::vector<NodeTarget> nodesOf(int) const override { return {}; }

  void presentPicture() override {
    const auto shown = sweep();
    m_latency->present(shown ? latencyCurves(*shown) : CurveChartData());
    m_latency->setVisible(shown && wasRun(*shown));
    m_peak->present(shown ? peakCurves(*shown) : CurveChartData());
  }

  QString whyNot() const override {
    const QString reason = job()->whyNot();
    if (!reason.isEmpty() || m_sweeper->combinations() > 0) return reason;
    return tr("Write several sizes for a dimension in the bar under the ribbon, as in 1, 8, 32 or 1..32.");
  }

  EmptyWords emptyWords(bool busy, const QString& reason) const override {
    const QString icon = QStringLiteral("stage-run");
    if (busy)
      return {icon,
              tr("Shapes are being planned \u2026"),
              tr("Each is a session of its own; cancelling leaves everything as it is."),
              {}};
    return {icon, tr("How do latency and memory grow?"),
            reason.isEmpty() ? tr("Plans the model for every combination of the sizes in the bar under the ribbon.")
                             : reason,
            tr("Plan the shapes")};
  }

  std::shared_ptr<Wish> m_wish;
  ShapeSweeper* m_sweeper;
  CurveChart* m_latency;
  CurveChart* m_peak;
};

}  // namespace

const PanelDescriptor& panel_shapes() {
  static const PanelDescriptor descriptor{.id = "shapes",
                                          .title = QT_TRANSLATE_NOOP("Panel", "Shapes"),
                                          .icon = "stage-run",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBelow,
                                          .height = 40,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new ShapesPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
