#pragma once
// What every table of rows has in common: its look, copying of chosen rows, and saving as comma-separated values.
//
// Thread rule: GUI thread.
// Example: dressRowTable(m_view);  copyRows(*m_view);  saveRows(this, "nodes.csv", [this] { return m_model.toCsv(); },
// m_context.actions);

#include <functional>

#include <QString>

class QTableView;
class QWidget;

namespace cutaway::ui {

class PanelActions;

void dressRowTable(QTableView* view);
// Chosen rows with the columns that are shown, divided by tabs, to the clipboard.
void copyRows(const QTableView& view);
// Asks for a file; csv() is called when one was named. A file that cannot be written is left as it was, and the message
// says why.
void saveRows(QWidget* parent, const QString& suggestedName, const std::function<QString()>& csv,
              PanelActions* actions);

}  // namespace cutaway::ui
