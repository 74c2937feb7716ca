// A table of figures with headings between them; differences carry an arrow and a word beside their colour.
#include "ui/panels/figures_view.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include "ui/base/comfort.h"
#include "ui/base/icons.h"
#include "ui/base/theme_store.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {
namespace {

enum { kLabel, kNow, kThen, kChange };
constexpr int kRowHeight = 25;
constexpr int kMark = 14;
constexpr int kFigureWidth = 106;
constexpr int kChangeWidth = 208;

class FigureCell : public QStyledItemDelegate {
 public:
  FigureCell(const ThemeStore* themes, const std::shared_ptr<const std::vector<FigureRow>>* rows,
             const ProviderMarks* marks, QObject* parent)
      : QStyledItemDelegate(parent), m_themes(themes), m_rows(rows), m_marks(marks) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& theme = m_themes->current();
    const FigureRow& row = (**m_rows)[static_cast<size_t>(index.row())];
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected) && row.kind != FigureRow::kHeading)
      painter->fillRect(option.rect, theme.accentSoft);
    QRect room = option.rect.adjusted(index.column() == kLabel ? 12 : 8, 0, -8, 0);
    if (row.kind == FigureRow::kHeading) {
      painter->setFont(interfaceFont(-1, QFont::DemiBold));
      painter->setPen(theme.textSecondary);
      painter->drawText(room.adjusted(0, 4, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, row.label);
      painter->setPen(QPen(theme.border, 1));
      painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
      painter->restore();
      return;
    }
    if (row.kind == FigureRow::kNote) {
      painter->setFont(interfaceFont(-1));
      painter->setPen(theme.textSecondary);
      painter->drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                        painter->fontMetrics().elidedText(row.label, Qt::ElideRight, room.width()));
      painter->restore();
      return;
    }
    painter->setFont(
        interfaceFont(0, index.column() == kChange && (row.kind == FigureRow::kBetter || row.kind == FigureRow::kWorse)
                             ? QFont::DemiBold
                             : QFont::Normal));
    painter->setPen(color(theme, row, index.column()));
    if (index.column() == kLabel && !row.provider.isEmpty()) {
      const int category = m_marks->indexOf(row.provider.toStdString());
      const QChar letter = category < 0 ? QChar() : m_marks->letters[static_cast<size_t>(category)];
      painter->drawPixmap(
          room.left(), room.center().y() - kMark / 2 + 1,
          categoryMark(theme.category(category), letter, theme, kMark, painter->device()->devicePixelRatioF()));
      room.setLeft(room.left() + kMark + 6);
    }
    const int alignment =
        Qt::AlignVCenter | (index.column() == kNow || index.column() == kThen ? Qt::AlignRight : Qt::AlignLeft);
    painter->drawText(room, alignment,
                      painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, room.width()));
    painter->restore();
  }

 private:
  static QColor color(const Theme& theme, const FigureRow& row, int column) {
    if (column == kLabel) return theme.text;
    if (column != kChange) return column == kNow ? theme.textSecondary : theme.text;
    return row.kind == FigureRow::kBetter  ? theme.success
           : row.kind == FigureRow::kWorse ? theme.error
                                           : theme.textFaint;
  }

  const ThemeStore* m_themes;
  const std::shared_ptr<const std::vector<FigureRow>>* m_rows;
  const ProviderMarks* m_marks;
};

}  // namespace

FiguresView::FiguresView(const ThemeStore* themes, const QString& name, QWidget* parent)
    : QTableView(parent), m_model(new ReportModel(this)), m_rows(std::make_shared<std::vector<FigureRow>>()) {
  setObjectName(name);
  setAccessibleName(tr("Figures now and what if"));
  setModel(m_model);
  setItemDelegate(new FigureCell(themes, &m_rows, &m_marks, this));
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setEditTriggers(NoEditTriggers);
  setShowGrid(false);
  setTabKeyNavigation(false);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(scaled(kRowHeight));
  horizontalHeader()->setHighlightSections(false);
  connect(themes, &ThemeStore::changed, viewport(), qOverload<>(&QWidget::update));
}

void FiguresView::present(std::vector<FigureRow> figures, const ProviderMarks& marks) {
  m_marks = marks;
  const auto rows = std::make_shared<const std::vector<FigureRow>>(std::move(figures));
  m_rows = rows;
  clearSpans();
  m_model->present(rowsOf<FigureRow>(RowList<FigureRow>(rows),
                                     {{.title = QString(),
                                       .text = &FigureRow::label,
                                       .toolTip =
                                           [](const FigureRow& figure) {
                                             return figure.label +
                                                    (figure.simulated ? QObject::tr(" (simulated)") : QString());
                                           }},
                                      {.title = tr("Now"), .kind = Column::kNumber, .text = &FigureRow::now},
                                      {.title = tr("What if"), .kind = Column::kNumber, .text = &FigureRow::then},
                                      {.title = tr("Change"), .text = &FigureRow::change}}));
  for (size_t row = 0; row < rows->size(); ++row)
    if ((*rows)[row].kind == FigureRow::kHeading || (*rows)[row].kind == FigureRow::kNote)
      setSpan(static_cast<int>(row), kLabel, 1, 4);
  if (m_model->columnCount() == 0) return;
  horizontalHeader()->setSectionResizeMode(kLabel, QHeaderView::Stretch);
  for (const int column : {kNow, kThen})
    setColumnWidth(column, scaled(kFigureWidth));
  setColumnWidth(kChange, scaled(kChangeWidth));
}

}  // namespace cutaway::ui
