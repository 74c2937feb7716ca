// ONNX Runtime beside this engine: asked on demand, shown stage by stage, difference by difference, node by node.
#include <array>

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/document/opinion_words.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/opinion/opinion_tables.h"

namespace cutaway::ui {
namespace {

class OpinionPanel : public QWidget {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::OpinionPanel)

 public:
  OpinionPanel(const PanelContext& context, QWidget* parent)
      : QWidget(parent), m_context(context), m_empty(new EmptyState(context.themes)) {
    setProperty("role", "surface");
    setAttribute(Qt::WA_StyledBackground);
    makeTables();
    arrange();
    Document& document = *context.document;
    connect(m_empty, &EmptyState::actionRequested, this, [this] { controller().ask(); });
    connect(m_again, &QPushButton::clicked, this, [this] { controller().ask(); });
    connect(m_cancel, &QPushButton::clicked, this, [this] { m_context.document->service().cancel(); });
    connect(&controller(), &OpinionController::changed, this, &OpinionPanel::refresh);
    connect(&document.service(), &EngineService::activityChanged, this, &OpinionPanel::refresh);
    document.onWalkChange(WalkPart::kLoad | WalkPart::kStates, this, &OpinionPanel::refresh);
    refresh();
  }

 protected:
  void showEvent(QShowEvent*) override { refresh(); }

 private:
  enum Table { kStages, kDifferences, kFigures, kNodes, kTableCount };
  OpinionController& controller() const { return m_context.document->opinion(); }

  void makeTables() {
    const std::array<const char*, kTableCount> keys = {"stages", "differences", "figures", "nodes"};
    m_tabs->setDocumentMode(true);
    for (size_t i = 0; i < kTableCount; ++i) {
      m_models[i] = new ReportModel(this);
      auto* table = new LinkedTable(m_context, QStringLiteral("opinion/") + QLatin1String(keys[i]));
      table->setModel(m_models[i]);
      m_tabs->addTab(table, QString());
    }
    m_tabs->setTabText(kStages, tr("Stages"));
    m_tabs->setTabText(kFigures, tr("Figures"));
    m_tabs->setTabText(kNodes, tr("Nodes"));
    m_tabs->setTabText(kDifferences, tr("Differences (%1)").arg(0));
    const std::array<QString, kTableCount> names = {tr("Stages"), tr("Differences"), tr("Figures"), tr("Nodes")};
    for (size_t i = 0; i < kTableCount; ++i)
      static_cast<LinkedTable*>(m_tabs->widget(static_cast<int>(i)))->view()->setAccessibleName(names[i]);
    m_tabs->setTabToolTip(kNodes, tr("The graph that both run as it is: ONNX Runtime's optimised model. A row selects "
                                     "the node that makes the same output here."));
  }

  void arrange() {
    m_words->setWordWrap(true);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_state->setProperty("role", "secondary");
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress"));
    m_bar->setRange(0, 0);
    m_bar->setFixedWidth(120);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, kSpaceSmall);
    top->setSpacing(kSpace);
    top->addWidget(m_words, 1);
    top->addWidget(m_again, 0, Qt::AlignTop);
    auto* work = new QHBoxLayout(m_work);
    work->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, 0);
    work->setSpacing(kSpace);
    work->addWidget(m_bar);
    work->addWidget(m_state, 1);
    work->addWidget(m_cancel);
    auto* result = new QWidget;
    auto* rows = new QVBoxLayout(result);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addLayout(top);
    rows->addWidget(m_tabs, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(result);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_work);
    column->addWidget(m_stack, 1);
  }

  void refresh() {
    if (!isVisible()) return;
    const bool busy = controller().busy();
    const QString reason = controller().whyNot();
    const Activity& activity = m_context.document->service().activity();
    m_work->setVisible(busy);
    m_state->setText(activity.detail.isEmpty() ? activity.what : activity.detail);
    m_again->setEnabled(!busy && reason.isEmpty());
    m_again->setToolTip(reason);
    if (const OpinionPointer opinion = controller().opinion(); opinion != m_shown) show(opinion);
    m_stack->setCurrentIndex(m_shown && !controller().error() ? 1 : 0);
    if (const auto words = emptyWords(busy, reason); words.title != m_empty->title() || words.text != m_emptyText) {
      m_emptyText = words.text;
      m_empty->present(words);
    }
    m_empty->button()->setEnabled(reason.isEmpty());
    m_empty->button()->setVisible(!busy);
  }

  EmptyState::Words emptyWords(bool busy, const QString& reason) const {
    const QString icon = QStringLiteral("stage-run");
    if (busy)
      return {icon, tr("ONNX Runtime is being asked \u2026"),
              tr("It runs in a process of its own; cancelling stops that."), tr("Compare with ONNX Runtime")};
    if (const auto& error = controller().error())
      return {QStringLiteral("error"),
              error->code == ErrorCode::kNotFound ? tr("ONNX Runtime was not found") : tr("There is no comparison"),
              text(describe(*error)), tr("Try again")};
    return {icon, tr("ONNX Runtime beside Cutaway"),
            reason.isEmpty()
                ? tr("Runs the model in both, and shows for every stage what each makes of it and by which "
                     "rule the two differ.")
                : reason,
            tr("Compare with ONNX Runtime")};
  }

  void show(OpinionPointer opinion) {
    m_shown = std::move(opinion);
    for (ReportModel* model : m_models)
      if (!m_shown) model->present({});
    if (!m_shown) return;
    m_words->setText(opinionSentence(*m_shown));
    m_words->setToolTip(text(m_shown->library));
    m_tabs->setVisible(m_shown->verdict.empty());
    m_models[kStages]->present(opinionStageRows(m_shown));
    m_models[kDifferences]->present(opinionDifferenceRows(m_shown));
    m_models[kFigures]->present(opinionFigureRows(m_shown));
    m_models[kNodes]->present(opinionNodeRows(m_shown, [this](const std::string& output) { return targetOf(output); }));
    m_tabs->setTabText(kDifferences, tr("Differences (%1)").arg(countText(m_shown->differences())));
  }

  // The node that makes a value of this name, in the earliest graph that has it; without one the row is about nothing.
  RowTarget targetOf(const std::string& output) const {
    if (output.empty()) return {};
    for (const GraphVersion version : {GraphVersion::kLoaded, GraphVersion::kOptimized, GraphVersion::kPartitioned}) {
      const GraphIndex* index = m_context.document->index(version);
      const int value = index ? index->valueIndex(0, output) : kNone;
      if (value == kNone) continue;
      const int32_t producer = index->graphs().graphs.front().values[static_cast<size_t>(value)].producer;
      if (producer >= 0) return {{version, 0, producer}, {}};
    }
    return {};
  }

  PanelContext m_context;
  EmptyState* m_empty;
  QString m_emptyText;
  QWidget* m_work = new QWidget;
  QProgressBar* m_bar = new QProgressBar;
  QLabel* m_state = new QLabel;
  QPushButton* m_cancel = new QPushButton(tr("Cancel"));
  QStackedWidget* m_stack = new QStackedWidget;
  QLabel* m_words = new QLabel;
  QPushButton* m_again = new QPushButton(tr("Compare again"));
  QTabWidget* m_tabs = new QTabWidget;
  std::array<ReportModel*, kTableCount> m_models{};
  OpinionPointer m_shown;
};

}  // namespace

const PanelDescriptor& panel_opinion() {
  static const PanelDescriptor descriptor{.id = "opinion",
                                          .title = QT_TRANSLATE_NOOP("Panel", "ONNX Runtime"),
                                          .icon = "stage-run",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBelow,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new OpinionPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
