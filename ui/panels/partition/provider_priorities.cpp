// A short table whose cells have two lines, or a figure over its bar.
#include "ui/panels/partition/provider_priorities.h"

#include <algorithm>

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/partial_amount.h"
#include "ui/base/theme_store.h"
#include "ui/document/window_words.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {
namespace {

enum { kOrder, kProvider, kNodes, kWork, kGroups, kRefused, kTime, kColumns };
constexpr std::array<int, kColumns> kWidths = {26, 0, 72, 98, 66, 72, 70};  // 0: the rest
constexpr int kRowHeight = 42;
constexpr int kMostRows = 5;  // further ones are scrolled to
constexpr int kMark = 16;
constexpr int kBar = 5;

// Cells hold two lines parted by a line feed.
class TwoLines : public QStyledItemDelegate {
 public:
  TwoLines(const ThemeStore* themes, const std::shared_ptr<const PartitionView>* view, QObject* parent)
      : QStyledItemDelegate(parent), m_themes(themes), m_view(view) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& theme = m_themes->current();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state.testFlag(QStyle::State_Selected)) painter->fillRect(option.rect, theme.accentSoft);
    const ProviderSummary& provider = (*m_view)->report->providers[static_cast<size_t>(index.row())];
    const QString cell = index.data().toString();
    const QString first = cell.section(QLatin1Char('\n'), 0, 0), second = cell.section(QLatin1Char('\n'), 1);
    QRect room = option.rect.adjusted(6, 0, -6, 0);
    const QColor strong = provider.usable ? theme.text : theme.textFaint;
    if (index.column() == kProvider) {
      paintProvider(*painter, room, provider, first, second);
    } else if (index.column() == kNodes || index.column() == kWork) {
      paintBar(*painter, room, index, first, strong);
    } else if (second.isEmpty()) {
      line(*painter, room, first, index.column() == kOrder ? theme.textFaint : strong,
           Qt::AlignVCenter | (index.column() == kOrder ? Qt::AlignHCenter : Qt::AlignRight));
    } else {
      line(*painter, QRect(room.left(), room.top() + scaled(4), room.width(), scaled(17)), first, strong,
           Qt::AlignVCenter | Qt::AlignRight);
      painter->setFont(interfaceFont(-2));
      line(*painter, QRect(room.left(), room.top() + scaled(21), room.width(), scaled(16)), second, theme.textFaint,
           Qt::AlignVCenter | Qt::AlignRight);
    }
    if (option.state.testFlag(QStyle::State_HasFocus)) {
      painter->setPen(QPen(theme.accent, 1));
      painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
    }
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {60, scaled(kRowHeight)}; }

 private:
  static void line(QPainter& painter, const QRect& room, const QString& words, const QColor& color, int alignment) {
    painter.setPen(color);
    painter.drawText(room, alignment, painter.fontMetrics().elidedText(words, Qt::ElideRight, room.width()));
  }

  void paintProvider(QPainter& painter, const QRect& room, const ProviderSummary& provider, const QString& first,
                     const QString& second) const {
    const Theme& theme = m_themes->current();
    const ProviderMarks& marks = (*m_view)->marks;
    const QPixmap mark = categoryMark(theme.category(marks.indexOf(provider.name)), marks.letterOf(provider.name),
                                      theme, kMark, painter.device()->devicePixelRatioF());
    painter.setOpacity(provider.usable ? 1 : 0.5);
    painter.drawPixmap(room.left(), room.top() + scaled(12) - kMark / 2, mark);
    painter.setOpacity(1);
    QRect words(room.left() + kMark + 7, room.top() + scaled(3), room.width() - kMark - 7, scaled(18));
    painter.setFont(interfaceFont(0, QFont::DemiBold));
    painter.setPen(provider.usable ? theme.text : theme.textFaint);
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(first, Qt::ElideMiddle, words.width()));
    QRect below = words.translated(0, scaled(18)).adjusted(0, 0, 0, -2);
    if (provider.simulated) below.setLeft(below.left() + paintBadge(painter, below) + 6);
    painter.setFont(interfaceFont(-2));
    line(painter, below, second, provider.usable ? theme.textFaint : theme.warning, Qt::AlignVCenter | Qt::AlignLeft);
  }

  // Returns its width.
  int paintBadge(QPainter& painter, const QRect& room) const {
    const Theme& theme = m_themes->current();
    const QString words = QObject::tr("simulated");
    painter.setFont(interfaceFont(-3));
    const int width = painter.fontMetrics().horizontalAdvance(words) + 10;
    const QRectF pill(room.left() + 0.5, room.top() + 1.5, width, scaled(13));
    painter.setPen(QPen(theme.borderStrong, 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(pill, 4, 4);
    painter.setPen(theme.textSecondary);
    painter.drawText(pill, Qt::AlignCenter, words);
    return width;
  }

  void paintBar(QPainter& painter, const QRect& room, const QModelIndex& index, const QString& first,
                const QColor& color) const {
    const Theme& theme = m_themes->current();
    const double share = std::clamp(index.data(kSortRole).toDouble(), 0.0, 1.0);
    line(painter, QRect(room.left(), room.top() + scaled(4), room.width(), scaled(17)), first, color,
         Qt::AlignVCenter | Qt::AlignRight);
    const QRectF track(room.left(), room.top() + scaled(27) + 0.5, room.width(), kBar);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(track, 2.5, 2.5);
    if (share <= 0) return;
    painter.setBrush(
        theme.category((*m_view)->marks.indexOf((*m_view)->report->providers[static_cast<size_t>(index.row())].name))
            .color);
    painter.drawRoundedRect(QRectF(track.left(), track.top(), std::max(3.0, track.width() * share), kBar), 2.5, 2.5);
  }

  const ThemeStore* m_themes;
  const std::shared_ptr<const PartitionView>* m_view;
};

// A provider with what it got.
struct Asked {
  int place;
  const ProviderSummary* provider;
  const ProviderShare* share;
};

double ratio(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

QString providerTip(const ProviderSummary& provider) {
  QString tip = text(provider.name) + QStringLiteral("\n") + QObject::tr("device %1").arg(text(provider.device));
  if (provider.simulated)
    tip += QObject::tr("\nDescribes hardware that is not here: its nodes run on the CPU kernels.");
  if (!provider.usable) tip += QObject::tr("\nNot usable: %1").arg(told(provider.reason));
  if (provider.weightBytes > 0) tip += QObject::tr("\nweights %1").arg(sizeText(provider.weightBytes));
  return tip;
}

ColumnOf<Asked> nodesColumn(const std::shared_ptr<const PartitionView>& view) {
  return {.title = ProviderPriorities::tr("Nodes"),
          .kind = Column::kNumber,
          .help = ProviderPriorities::tr("Nodes claimed, and their share of all"),
          .text = [](const Asked& asked) { return countText(asked.share->nodes); },
          .key =
              [view](const Asked& asked) {
                return ratio(asked.share->nodes, static_cast<int64_t>(view->report->nodes.size()));
              },
          .toolTip =
              [view](const Asked& asked) {
                const auto all = static_cast<int64_t>(view->report->nodes.size());
                return QObject::tr("%1 of %2 nodes, %3")
                    .arg(countText(asked.share->nodes), countText(all), percentText(ratio(asked.share->nodes, all)));
              }};
}

QString workOf(const ProviderShare& share) {
  return partialAmount(workText(share.flops), share.unknownNodes > 0, share.flops == 0);
}

ColumnOf<Asked> workColumn(const std::shared_ptr<const PartitionView>& view) {
  return {
      .title = ProviderPriorities::tr("Work"),
      .kind = Column::kNumber,
      .help = ProviderPriorities::tr("Operations of the nodes claimed, and their share"),
      .text = [view](const Asked& asked) { return view->flops > 0 ? workOf(*asked.share) : QStringLiteral("\u2013"); },
      .key = [view](const Asked& asked) { return ratio(asked.share->flops, view->flops); },
      .toolTip =
          [view](const Asked& asked) {
            return view->flops > 0 ? QObject::tr("%1 of %2, %3")
                                             .arg(workOf(*asked.share), workText(view->flops),
                                                  percentText(ratio(asked.share->flops, view->flops))) +
                                         (view->unknownNodes == 0
                                              ? QString()
                                              : QObject::tr("; the operations of %1 nodes are not known before running")
                                                    .arg(countText(view->unknownNodes)))
                                   : QString();
          }};
}

// Cells hold two lines parted by a line feed.
ReportRows askedRows(const std::shared_ptr<const PartitionView>& view) {
  using Order = ColumnOf<Asked>;
  std::vector<Asked> rows;
  for (size_t i = 0; i < view->report->providers.size(); ++i)
    rows.push_back({static_cast<int>(i), &view->report->providers[i], &view->shares[i]});
  std::vector<Order> columns = {
      {.title = QStringLiteral("#"),
       .help = ProviderPriorities::tr("Priority"),
       .text = [](const Asked& asked) { return QString::number(asked.place + 1); }},
      {.title = ProviderPriorities::tr("Priority"),
       .text =
           [](const Asked& asked) {
             const ProviderSummary& provider = *asked.provider;
             return text(provider.name) + QLatin1Char('\n') +
                    (provider.usable ? text(provider.device).remove(QObject::tr(" (simulated)"))
                                     : QObject::tr("not usable: %1").arg(told(provider.reason)));
           },
       .toolTip = [](const Asked& asked) { return providerTip(*asked.provider); }},
      nodesColumn(view),
      workColumn(view),
      {.title = ProviderPriorities::tr("Groups"),
       .kind = Order::kNumber,
       .help = ProviderPriorities::tr("Compiled groups and other connected subgraphs"),
       .text = [](const Asked& asked) { return countText(asked.share->groups); }},
      {.title = ProviderPriorities::tr("Refused"),
       .kind = Order::kNumber,
       .help = ProviderPriorities::tr("Nodes refused"),
       .text = [](const Asked& asked) { return countText(asked.provider->refusedNodes); }},
      {.title = ProviderPriorities::tr("Time"),
       .kind = Order::kNumber,
       .help = ProviderPriorities::tr("GetCapability + Compile"),
       .text =
           [](const Asked& asked) {
             const int64_t compiling = asked.provider->compileTimeNs;
             return timeText(asked.provider->askTimeNs) +
                    (compiling > 0 ? QStringLiteral("\n+ ") + timeText(compiling) : QString());
           },
       .toolTip =
           [](const Asked& asked) {
             return QObject::tr("GetCapability took %1, Compile %2")
                 .arg(timeText(asked.provider->askTimeNs), timeText(asked.provider->compileTimeNs));
           }}};
  return rowsOf<Asked>(listOf(std::move(rows), view), std::move(columns));
}

}  // namespace

ProviderPriorities::ProviderPriorities(const ThemeStore* themes, QWidget* parent)
    : QTableView(parent), m_model(new ReportModel(this)), m_themes(themes) {
  setObjectName(QStringLiteral("partition/order"));
  setAccessibleName(tr("Providers by priority"));
  setModel(m_model);
  setItemDelegate(new TwoLines(themes, &m_view, this));
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setEditTriggers(NoEditTriggers);
  setShowGrid(false);
  setTabKeyNavigation(false);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(scaled(kRowHeight));
  horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  horizontalHeader()->setHighlightSections(false);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) { emit providerChosen(index.row()); });
  connect(this, &QTableView::activated, this, [this](const QModelIndex& index) { emit providerChosen(index.row()); });
  connect(themes, &ThemeStore::changed, viewport(), qOverload<>(&QWidget::update));
  present(nullptr);
}

void ProviderPriorities::present(std::shared_ptr<const PartitionView> view) {
  m_view = std::move(view);
  if (!m_view) {
    m_model->present({});
    return hide();
  }
  m_model->present(askedRows(m_view));
  fitRows();
  show();
}

void ProviderPriorities::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  shareWidth();
}

// As high as its rows, also when their text grows while the window is open.
void ProviderPriorities::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (m_view && (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)) fitRows();
}

void ProviderPriorities::fitRows() {
  const int rows = std::min(m_model->rowCount(), kMostRows);
  setFixedHeight(horizontalHeader()->sizeHint().height() + rows * scaled(kRowHeight) + kSpace);
  shareWidth();
}

// Narrow panels lose the columns that matter least.
void ProviderPriorities::shareWidth() {
  if (m_model->columnCount() == 0) return;
  constexpr int kProviderNeeds = 140;
  int rest = viewport()->width() - kSpace;
  for (const int width : kWidths)
    rest -= scaled(width);
  for (const int column : {kTime, kGroups, kRefused, kWork}) {
    const bool hidden = rest < scaled(kProviderNeeds) && column != kWork;
    setColumnHidden(column, hidden);
    if (hidden) rest += scaled(kWidths[static_cast<size_t>(column)]);
  }
  for (int column = 0; column < kColumns; ++column)
    setColumnWidth(column, column == kProvider ? std::max(rest, 80) : scaled(kWidths[static_cast<size_t>(column)]));
}

}  // namespace cutaway::ui
