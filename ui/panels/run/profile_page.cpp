#include "ui/panels/run/profile_page.h"

#include <algorithm>
#include <cmath>

#include <QCheckBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/document/trace_name.h"
#include "ui/document/window_words.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/report_model.h"
#include "ui/panels/run/distribution_view.h"

namespace cutaway::ui {
namespace {

// Places of the columns.
enum ColumnIndex { kNode, kBefore, kNow, kBar, kDifference, kShare, kVerdict, kInterval, kOperator };
constexpr int kBarWidth = 124;

// To the left what became faster, to the right what became slower.
class DifferenceBar : public QStyledItemDelegate {
 public:
  DifferenceBar(const ThemeStore* themes, std::shared_ptr<double> largest, QObject* parent)
      : QStyledItemDelegate(parent), m_themes(themes), m_largest(std::move(largest)) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const Theme& theme = m_themes->current();
    const double difference = index.data(kSortRole).toDouble();
    const QRectF room = QRectF(option.rect).adjusted(6, 0, -6, 0);
    const double middle = room.center().x(),
                 length = *m_largest > 0 ? std::max(1.0, room.width() / 2 * std::abs(difference) / *m_largest) : 0;
    const bool noise = index.siblingAtColumn(kVerdict).data(kSortRole).toInt() == static_cast<int>(Change::kNoise);
    const QColor color = noise            ? theme.borderStrong
                         : difference < 0 ? theme.category(0).color
                                          : theme.category(3).color;
    painter->fillRect(QRectF(difference < 0 ? middle - length : middle, room.center().y() - 4, length, 8),
                      noise ? mix(theme.surface, color, 0.5) : color);
    painter->setPen(QPen(theme.borderStrong, 1));
    painter->drawLine(QPointF(middle, room.top() + 4), QPointF(middle, room.bottom() - 4));
  }

 private:
  const ThemeStore* m_themes;
  std::shared_ptr<double> m_largest;
};

QString dash() {
  return QStringLiteral("\u2013");
}
double differenceNs(const NodeTimeDifference& node) {
  return static_cast<double>(node.bNs - node.aNs);
}

ReportRows differenceRows(const std::shared_ptr<const RunComparison>& comparison) {
  using Nodes = ColumnOf<NodeTimeDifference>;
  const auto tr = [](const char* words) { return QObject::tr(words); };
  std::vector<Nodes> columns = {
      {.title = tr("Node"), .text = &NodeTimeDifference::name},
      {.title = tr("Baseline"),
       .kind = Nodes::kNumber,
       .text = [](const NodeTimeDifference& node) { return node.nodeA < 0 ? dash() : timeText(node.aNs); },
       .key = &NodeTimeDifference::aNs},
      {.title = tr("Now"),
       .kind = Nodes::kNumber,
       .text = [](const NodeTimeDifference& node) { return node.nodeB < 0 ? dash() : timeText(node.bNs); },
       .key = &NodeTimeDifference::bNs},
      {.title = tr("Faster, slower"), .key = differenceNs},  // a bar is painted from the key
      {.title = tr("Difference"),
       .kind = Nodes::kNumber,
       .text = [](const NodeTimeDifference& node) { return signedTime(differenceNs(node)); },
       .key = differenceNs},
      {.title = tr("Change"),
       .kind = Nodes::kNumber,
       .text =
           [](const NodeTimeDifference& node) {
             return node.aNs > 0 && node.nodeB >= 0 ? signedPercent(differenceNs(node) / static_cast<double>(node.aNs))
                                                    : dash();
           },
       .key =
           [](const NodeTimeDifference& node) {
             return node.aNs > 0 ? differenceNs(node) / static_cast<double>(node.aNs) : 1e9;
           }},
      {.title = tr("Verdict"),
       .text = [](const NodeTimeDifference& node) { return changeWord(changeOf(node)); },
       .key = [](const NodeTimeDifference& node) { return static_cast<int>(changeOf(node)); }},
      {.title = tr("95 % interval"),
       .kind = Nodes::kNumber,
       .text =
           [](const NodeTimeDifference& node) {
             return node.highNs > node.lowNs
                        ? QStringLiteral("%1 \u2026 %2").arg(signedTime(node.lowNs), signedTime(node.highNs))
                        : dash();
           },
       .key = [](const NodeTimeDifference& node) { return node.highNs - node.lowNs; }},
      {.title = tr("Operator"), .text = &NodeTimeDifference::opType}};
  return rowsOf<NodeTimeDifference>(partOf(comparison, comparison->nodes), std::move(columns),
                                    [](const NodeTimeDifference& node) {
                                      return RowTarget{{GraphVersion::kPartitioned, node.graph, node.nodeB}, {}};
                                    });
}

}  // namespace

ProfilePage::ProfilePage(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_keep(new QPushButton(tr("Keep as baseline"))),
      m_load(new QPushButton(tr("Read a trace"))),
      m_swap(new QPushButton(tr("Swap"))),
      m_drop(new QPushButton(tr("Remove"))),
      m_sentence(new QLabel),
      m_detail(new QLabel),
      m_error(new QLabel),
      m_empty(new QLabel),
      m_distributions(new DistributionView(context.themes)),
      m_significant(new QCheckBox(tr("Only significant differences"))),
      m_pages(new QStackedWidget),
      m_model(new ReportModel(this)),
      m_table(nullptr),
      m_largest(std::make_shared<double>(0)) {
  setObjectName(QStringLiteral("run/compare"));
  setAcceptDrops(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeTop());
  for (QLabel* label : {m_sentence, m_detail, m_error}) {
    label->setWordWrap(true);
    label->setContentsMargins(kSpaceLarge, kSpaceTiny, kSpaceLarge, kSpaceTiny);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setTextFormat(Qt::PlainText);
    column->addWidget(label);
  }
  m_sentence->setFont(interfaceFont(2, QFont::DemiBold));
  m_detail->setProperty("role", "secondary");
  m_error->setProperty("role", "error");
  m_empty->setProperty("role", "faint");
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_empty->setMargin(kSpaceHuge);
  makeTable();
  column->addWidget(m_pages, 1);
  connect(&context.document->profiles(), &ProfileController::changed, this, &ProfilePage::refresh);
  context.document->onWalkChange(WalkPart::kRun, this, &ProfilePage::refresh);
  refresh();
}

QWidget* ProfilePage::makeTop() {
  auto* box = new QWidget;
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(kSpaceLarge, kSpace, kSpaceLarge, kSpaceSmall);
  row->setSpacing(kSpace);
  m_keep->setToolTip(tr("Later runs are compared with this one"));
  m_load->setToolTip(tr("A trace written by onnxruntime or by Cutaway; it can also be dropped here"));
  m_swap->setToolTip(tr("Swaps the baseline and the present run"));
  m_drop->setToolTip(tr("Remove the baseline"));
  auto* menu = new QMenu(m_load);
  connect(menu->addAction(tr("As the baseline \u2026")), &QAction::triggered, this, [this] { chooseFile(true); });
  connect(menu->addAction(tr("As the present run: paint it on the graph \u2026")), &QAction::triggered, this,
          [this] { chooseFile(false); });
  m_load->setMenu(menu);
  row->addWidget(m_keep);
  row->addWidget(m_load);
  row->addStretch(1);
  row->addWidget(m_swap);
  row->addWidget(m_drop);
  ProfileController& controller = m_context.document->profiles();
  connect(m_keep, &QPushButton::clicked, &controller, &ProfileController::keepPresent);
  connect(m_swap, &QPushButton::clicked, &controller, &ProfileController::swap);
  connect(m_drop, &QPushButton::clicked, &controller, &ProfileController::dropBaseline);
  return box;
}

void ProfilePage::makeTable() {
  auto* filled = new QWidget;
  auto* column = new QVBoxLayout(filled);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_distributions);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, 0);
  row->addWidget(m_significant);
  row->addStretch(1);
  column->addLayout(row);
  m_table = new LinkedTable(m_context, QStringLiteral("run/differences"), this);
  m_table->setObjectName(QStringLiteral("run/differences"));
  m_table->setModel(m_model);
  m_table->view()->setItemDelegateForColumn(kBar, new DifferenceBar(m_context.themes, m_largest, m_table));
  column->addWidget(m_table, 1);
  m_pages->addWidget(m_empty);
  m_pages->addWidget(filled);
  connect(m_significant, &QCheckBox::toggled, this, &ProfilePage::showSignificant);
  connect(m_table, &LinkedTable::released, this, [this] { m_significant->setChecked(false); });
}

void ProfilePage::chooseFile(bool asBaseline) {
  const QString path =
      QFileDialog::getOpenFileName(this, asBaseline ? tr("Trace to compare with") : tr("Trace to paint on the graph"),
                                   {}, tr("Traces and device profiles (*.json *.csv);;All files (*)"));
  if (path.isEmpty()) return;
  asBaseline ? m_context.document->profiles().loadBaseline(path) : m_context.document->profiles().showTrace(path);
}

void ProfilePage::loadFile(const QString& path) {
  m_context.document->profiles().loadBaseline(path);
}

void ProfilePage::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.size() == 1 && isTraceName(urls.front().toLocalFile())) event->acceptProposedAction();
}

void ProfilePage::dropEvent(QDropEvent* event) {
  loadFile(event->mimeData()->urls().front().toLocalFile());
  event->acceptProposedAction();
}

void ProfilePage::refresh() {
  const ProfileController& controller = m_context.document->profiles();
  const auto run = m_context.document->walk()->run;
  const bool isBaseline = controller.baseline() && run == controller.baseline()->run;
  m_keep->setEnabled(run && !isBaseline);
  m_load->setEnabled(controller.canRead() && !controller.busy());
  m_swap->setVisible(controller.baseline().has_value());
  m_swap->setEnabled(run && !isBaseline);
  m_drop->setVisible(controller.baseline().has_value());
  m_error->setVisible(controller.error().has_value());
  if (controller.error()) m_error->setText(told(*controller.error()));
  if (controller.comparison() != m_shown) {
    m_shown = controller.comparison();
    presentComparison();
  }
  m_sentence->setVisible(m_shown != nullptr);
  m_detail->setVisible(m_shown != nullptr);
  m_pages->setCurrentIndex(m_shown ? 1 : 0);
  if (m_shown) return;
  if (controller.busy()) return m_empty->setText(tr("Reading \u2026"));
  if (!controller.baseline())
    return m_empty->setText(
        run ? tr("Keep this run as the baseline, change something (threads, executor, provider, a flag) and run again: "
                 "the differences are shown here, and which of them are significant.")
            : tr("Run the model, or read a trace, to compare profiles."));
  m_empty->setText(tr("The baseline is \u201c%1\u201d, median %2. Run again to compare.")
                       .arg(controller.baseline()->title,
                            timeText(static_cast<int64_t>(controller.baseline()->run->medianMs * 1e6))));
}

void ProfilePage::presentComparison() {
  const ProfileController& controller = m_context.document->profiles();
  *m_largest = 0;
  if (!m_shown) {
    m_distributions->present({}, {});
    return m_model->present({});
  }
  const Theme& theme = m_context.themes->current();
  const Change change = changeOf(*m_shown);
  m_sentence->setText(comparisonSentence(*m_shown));
  m_sentence->setStyleSheet(QStringLiteral("color: %1")
                                .arg((change == Change::kFaster   ? theme.success
                                      : change == Change::kSlower ? theme.error
                                                                  : theme.text)
                                         .name()));
  QString detail = comparisonDetail(*m_shown);
  for (const std::string& warning : m_shown->warnings)
    detail += QLatin1Char('\n') + told(warning);
  m_detail->setText(detail);
  for (const NodeTimeDifference& node : m_shown->nodes)
    *m_largest = std::max(*m_largest, std::abs(static_cast<double>(node.bNs - node.aNs)));
  m_distributions->present({controller.baseline()->title, controller.baseline()->run},
                           {tr("now"), m_context.document->walk()->run});
  m_model->present(differenceRows(m_shown));
  m_table->view()->setColumnWidth(kBar, kBarWidth);
  showSignificant();
}

void ProfilePage::showSignificant() {
  if (!m_shown || !m_significant->isChecked()) return m_table->restrict({}, {});
  m_table->restrict(tr("Only nodes with significant differences"), [held = m_shown](int row) {
    return static_cast<size_t>(row) < held->nodes.size() &&
           changeOf(held->nodes[static_cast<size_t>(row)]) != Change::kNoise;
  });
}

}  // namespace cutaway::ui
