// Table of orders with what it takes to make and use it.
#include "ui/panels/schedule/order_page.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/base/comfort.h"
#include "ui/base/cost_text.h"
#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"
#include "ui/panels/bar_cell.h"
#include "ui/panels/report_model.h"
#include "ui/panels/schedule/schedule_tables.h"
#include "ui/panels/sparkline.h"

namespace cutaway::ui {
namespace {

enum { kOrder, kPeak, kBound, kPath, kPlanned, kLive };  // places of the columns

struct OrderPlan {
  QString order;
  bool isUsed;
  const PlanFigures* figures;
};

constexpr int kRowHeight = 44;  // room for the shape of the curve

QString bytesOrDash(int64_t bytes) {
  return bytes < 0 ? QStringLiteral("\u2013") : sizeText(bytes);
}

QString meaning(const QString& order) {
  if (order == QLatin1String("default"))
    return QObject::tr("Depth first from the outputs back: producers stand just before their consumers.");
  if (order == QLatin1String("onnxruntime"))
    return QObject::tr("Depth first from the last output back, the latest producer first: onnxruntime's default.");
  if (order == QLatin1String("priority")) return QObject::tr("Ready nodes by priority: shapes first, then by index.");
  if (order == QLatin1String("fifo")) return QObject::tr("Ready nodes in the order in which they became ready.");
  if (order == QLatin1String("memory"))
    return QObject::tr(
        "Ready nodes that free most and allocate least, improved by local search; never above the default order's "
        "peak.");
  return {};
}

QLabel* words(const char* role) {
  auto* label = new QLabel;
  label->setProperty("role", role);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  return label;
}

}  // namespace

OrderPage::OrderPage(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_model(new ReportModel(this)),
      m_view(new QTableView),
      m_words(words("secondary")),
      m_error(words("error")),
      m_progress(new QProgressBar),
      m_compare(new QPushButton),
      m_use(new QPushButton) {
  setObjectName(QStringLiteral("schedule/orders"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* top = new QHBoxLayout;
  top->setContentsMargins(kSpaceLarge, kSpace, kSpaceLarge, kSpace);
  top->setSpacing(kSpaceLarge);
  m_compare->setProperty("primary", true);
  m_compare->setMinimumWidth(130);
  top->addWidget(m_words, 1);
  top->addWidget(m_compare);
  column->addLayout(top);
  m_progress->setTextVisible(false);
  m_progress->setAccessibleName(tr("Progress of comparing orders"));
  column->addWidget(m_progress);
  m_error->setContentsMargins(kSpaceLarge, 0, kSpaceLarge, kSpace);
  column->addWidget(m_error);
  m_view->setObjectName(QStringLiteral("schedule/orderTable"));
  m_view->setAccessibleName(tr("Orders side by side"));
  m_view->setModel(m_model);
  m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_view->setSelectionMode(QAbstractItemView::SingleSelection);
  m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_view->setShowGrid(false);
  m_view->setTabKeyNavigation(false);
  m_view->verticalHeader()->hide();
  m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  m_view->verticalHeader()->setDefaultSectionSize(scaled(kRowHeight));
  m_view->horizontalHeader()->setHighlightSections(false);
  m_view->horizontalHeader()->setStretchLastSection(true);
  m_view->setItemDelegateForColumn(kPeak, new BarCell(context.themes, m_view, 0));
  const auto amounts = [this](int row) -> std::span<const int64_t> {
    const auto table = m_context.document->studies().table(PlanStudies::kOrders);
    return table && row < static_cast<int>(table->rows.size())
               ? std::span<const int64_t>(table->rows[static_cast<size_t>(row)].liveBytes)
               : std::span<const int64_t>();
  };
  const auto highest = [this, amounts] {
    int64_t most = 0;
    for (int row = 0; row < m_model->rowCount(); ++row)
      for (const int64_t amount : amounts(row))
        most = std::max(most, amount);
    return most;
  };
  m_view->setItemDelegateForColumn(kLive, new Sparkline(context.themes, m_view, amounts, highest));
  column->addWidget(m_view, 1);
  auto* bottom = new QHBoxLayout;
  bottom->setContentsMargins(kSpaceLarge, kSpace, kSpaceLarge, kSpace);
  m_use->setToolTip(tr("Use the chosen order, and run all stages again (Enter)"));
  bottom->addWidget(m_use);
  bottom->addStretch(1);
  column->addLayout(bottom);
  column->addStretch();  // without a table the words stay on top
  PlanStudies& studies = context.document->studies();
  connect(m_compare, &QPushButton::clicked, this, [this] {
    Document& document = *m_context.document;
    if (document.studies().running(PlanStudies::kOrders)) return document.service().cancel();
    document.studies().compareOrders();
  });
  connect(m_use, &QPushButton::clicked, this, [this] { use(m_view->currentIndex().row()); });
  connect(m_view, &QTableView::activated, this, [this](const QModelIndex& index) { use(index.row()); });
  connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &OrderPage::refresh);
  connect(&studies, &PlanStudies::changed, this, &OrderPage::refresh);
  context.document->onWalkChange(WalkPart::kOptimize | WalkPart::kSchedule | WalkPart::kStates, this,
                                 &OrderPage::refresh);
  connect(&context.document->service(), &EngineService::activityChanged, this, &OrderPage::refresh);
  connect(context.themes, &ThemeStore::changed, m_view->viewport(), qOverload<>(&QWidget::update));
  refresh();
}

QString OrderPage::chosen() const {
  const auto table = m_context.document->studies().table(PlanStudies::kOrders);
  const int row = m_view->currentIndex().row();
  return table && row >= 0 && row < static_cast<int>(table->values.size()) &&
                 m_view->selectionModel()->isRowSelected(row)
             ? text(table->values[static_cast<size_t>(row)])
             : QString();
}

void OrderPage::use(int row) {
  Document& document = *m_context.document;
  const auto table = document.studies().table(PlanStudies::kOrders);
  if (!table || row < 0 || row >= static_cast<int>(table->values.size()) || document.service().busy()) return;
  session::SessionOptions options = document.options();
  if (options.order == table->values[static_cast<size_t>(row)]) return;
  options.order = table->values[static_cast<size_t>(row)];
  document.setOptions(options);
}

void OrderPage::refresh() {
  const Document& document = *m_context.document;
  const PlanStudies& studies = document.studies();
  const bool running = studies.running(PlanStudies::kOrders);
  const auto table = studies.table(PlanStudies::kOrders);
  m_compare->setText(running ? tr("Cancel") : tr("Compare orders"));
  m_compare->setEnabled(running || (studies.can(PlanStudies::kOrders) && !document.service().busy()));
  m_progress->setVisible(running);
  const Activity& activity = document.service().activity();
  if (running) m_progress->setRange(0, activity.share < 0 ? 0 : 1000);
  if (running && activity.share >= 0) m_progress->setValue(static_cast<int>(activity.share * 1000));
  m_error->setVisible(studies.error(PlanStudies::kOrders).has_value());
  if (studies.error(PlanStudies::kOrders)) m_error->setText(told(*studies.error(PlanStudies::kOrders)));
  m_view->setVisible(table != nullptr);
  m_use->setVisible(table != nullptr);
  const QString order = chosen(), now = text(document.options().order);
  m_use->setText(order.isEmpty() || order == now ? tr("Use this order") : tr("Use the %1 order").arg(order));
  m_use->setEnabled(!order.isEmpty() && order != now && !document.service().busy());
  if (running) {
    m_words->setText(activity.detail.isEmpty() ? tr("Planning the model in every order \u2026") : activity.detail);
  } else if (!order.isEmpty() && !meaning(order).isEmpty()) {
    m_words->setText(meaning(order));
  } else {
    m_words->setText(table ? tr("Smaller peaks need less memory; a shorter path leaves more to do at once.")
                           : tr("What would another order change? Plans the model in all four, without running it."));
  }
  if (table.get() != m_shown) presentTable();
}

void OrderPage::presentTable() {
  const auto table = m_context.document->studies().table(PlanStudies::kOrders);
  m_shown = table.get();
  if (!table) return m_model->present({});
  int64_t largest = 1;
  for (const PlanFigures& row : table->rows)
    largest = std::max(largest, row.peakBytes);
  const std::string now = m_context.document->options().order;
  using Orders = ColumnOf<OrderPlan>;
  std::vector<OrderPlan> plans;
  for (size_t i = 0; i < std::min(table->rows.size(), table->values.size()); ++i)
    plans.push_back({text(table->values[i]), table->values[i] == now, &table->rows[i]});
  std::vector<Orders> columns = {
      {.title = tr("Order"),
       .text =
           [](const OrderPlan& plan) {
             return (plan.isUsed ? QStringLiteral("\u2713 ") : QStringLiteral("\u2003")) + plan.order;
           },
       .toolTip = [](const OrderPlan& plan) { return meaning(plan.order); }},
      {.title = tr("Peak"),
       .kind = Orders::kNumber,
       .text = [](const OrderPlan& plan) { return bytesOrDash(plan.figures->peakBytes); },
       .share = [largest](const OrderPlan& plan) -> std::optional<double> {
         const int64_t peak = plan.figures->peakBytes;
         if (peak < 0) return std::nullopt;
         return static_cast<double>(peak) / static_cast<double>(largest);
       }},
      {.title = tr("Bound"),
       .kind = Orders::kNumber,
       .help = tr("No placement of this order can be smaller"),
       .text = [](const OrderPlan& plan) { return bytesOrDash(plan.figures->lowerBoundBytes); }},
      {.title = tr("Path"),
       .kind = Orders::kNumber,
       .help = tr("Work on the longest chain"),
       .text = [](const OrderPlan& plan) { return costText(plan.figures->criticalPathCost, plan.figures->costUnit); }},
      {.title = tr("Planned in"),
       .kind = Orders::kNumber,
       .text = [](const OrderPlan& plan) { return timeText(plan.figures->planNs); }},
      {.title = tr("Live bytes over steps"), .text = [](const OrderPlan& plan) { return plan.figures->problem; }}};
  m_model->present(rowsOf<OrderPlan>(listOf(std::move(plans), table), std::move(columns)));
  const int widths[] = {92, 84, 78, 92, 82};
  for (int column = 0; column < 5; ++column)
    m_view->setColumnWidth(column, widths[column]);
}

}  // namespace cutaway::ui
