#include "ui/panels/row_table.h"

#include <algorithm>

#include <QClipboard>
#include <QCoreApplication>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QTableView>

#include "ui/base/comfort.h"
#include "ui/base/file_writing.h"
#include "ui/panels/panel_actions.h"

namespace cutaway::ui {
namespace {

constexpr int kRowHeight = 26;

struct RowTable {
  Q_DECLARE_TR_FUNCTIONS(RowTable)
};

}  // namespace

void dressRowTable(QTableView* view) {
  view->setSelectionBehavior(QAbstractItemView::SelectRows);
  view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  view->setShowGrid(false);
  view->setAlternatingRowColors(true);
  view->setWordWrap(false);
  view->setTabKeyNavigation(false);
  view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  view->verticalHeader()->hide();
  view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  view->verticalHeader()->setDefaultSectionSize(scaled(kRowHeight));
  view->horizontalHeader()->setHighlightSections(false);
  view->horizontalHeader()->setStretchLastSection(true);
}

void copyRows(const QTableView& view) {
  QString lines;
  QModelIndexList rows = view.selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end());
  for (const QModelIndex& row : rows) {
    QStringList cells;
    for (int column = 0; column < view.model()->columnCount(); ++column)
      if (!view.isColumnHidden(column)) cells << row.siblingAtColumn(column).data().toString();
    lines += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
  }
  QGuiApplication::clipboard()->setText(lines);
}

void saveRows(QWidget* parent, const QString& suggestedName, const std::function<QString()>& csv,
              PanelActions* actions) {
  const QString path = QFileDialog::getSaveFileName(parent, RowTable::tr("Save table"), suggestedName,
                                                    RowTable::tr("Comma-separated values (*.csv)"));
  if (path.isEmpty()) return;
  if (const Result<void> written = writeFileSafely(path, csv().toUtf8()); !written)
    return emit actions->message(
        RowTable::tr("Cannot write %1: %2").arg(path, QString::fromStdString(written.error().message)));
  emit actions->message(RowTable::tr("Saved %1").arg(path));
}

}  // namespace cutaway::ui
