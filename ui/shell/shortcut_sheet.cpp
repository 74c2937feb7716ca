#include "ui/shell/shortcut_sheet.h"

#include <QBuffer>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPdfWriter>
#include <QPushButton>
#include <QTextDocument>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/base/file_writing.h"
#include "ui/base/theme.h"
#include "ui/shell/command_menus.h"
#include "ui/shell/main_window.h"

namespace cutaway::ui {
namespace {
constexpr QSize kSize(560, 640);
constexpr int kKeysWidth = 210;
}  // namespace

ShortcutSheet::ShortcutSheet(MainWindow* window)
    : QDialog(window), m_window(window), m_line(new QLineEdit), m_list(new QTreeWidget) {
  setWindowTitle(tr("Keyboard shortcuts"));
  setObjectName(QStringLiteral("shortcutSheet"));
  m_line->setPlaceholderText(tr("Search for a key or for what it does"));
  m_line->setAccessibleName(m_line->placeholderText());
  m_line->setClearButtonEnabled(true);
  m_list->setColumnCount(2);
  m_list->setHeaderLabels({tr("Keys"), tr("What they do")});
  m_list->setRootIsDecorated(false);
  m_list->setIndentation(0);
  m_list->setFocusPolicy(Qt::TabFocus);
  m_list->setAccessibleName(windowTitle());
  m_list->header()->resizeSection(0, kKeysWidth);
  auto* printed = new QPushButton(tr("Print \u2026"));
  printed->setToolTip(tr("Writes the sheet as PDF"));
  auto* closed = new QPushButton(tr("Close"));
  auto* row = new QHBoxLayout;
  row->addWidget(printed);
  row->addStretch(1);
  row->addWidget(closed);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpaceLarge, kSpaceLarge, kSpaceLarge, kSpaceLarge);
  column->setSpacing(kSpace);
  column->addWidget(m_line);
  column->addWidget(m_list, 1);
  column->addLayout(row);
  closed->setDefault(true);
  connect(closed, &QPushButton::clicked, this, &QDialog::accept);
  connect(printed, &QPushButton::clicked, this, &ShortcutSheet::print);
  connect(m_line, &QLineEdit::textChanged, this, &ShortcutSheet::filter);
  resize(kSize);
  fill();
  m_line->setFocus();
}

void ShortcutSheet::fill() {
  const QString menus[kMenuCount] = {tr("File"), tr("Edit"), tr("View"), tr("Go"), tr("Model"), tr("Help")};
  for (int menu = 0; menu < kMenuCount; ++menu) {
    QTreeWidgetItem* head = nullptr;
    for (const Command& command : m_window->commands()->commands()) {
      const QString keys = CommandMenus::keysOf(command);
      if (static_cast<int>(command.menu) != menu || keys.isEmpty()) continue;
      if (!head) {
        head = new QTreeWidgetItem(m_list, {menus[menu]});
        head->setFirstColumnSpanned(true);
        head->setFont(0, interfaceFont(0, QFont::DemiBold));
        head->setFlags(Qt::ItemIsEnabled);
      }
      auto* item = new QTreeWidgetItem(head, {keys, CommandMenus::plain(command.title)});
      item->setToolTip(1, command.help);
    }
  }
  m_list->expandAll();
}

void ShortcutSheet::filter(const QString& words) {
  for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
    QTreeWidgetItem* head = m_list->topLevelItem(i);
    bool any = false;
    for (int k = 0; k < head->childCount(); ++k) {
      QTreeWidgetItem* item = head->child(k);
      const bool fits =
          item->text(0).contains(words, Qt::CaseInsensitive) || item->text(1).contains(words, Qt::CaseInsensitive);
      item->setHidden(!fits);
      any = any || fits;
    }
    head->setHidden(!any);
  }
}

QString ShortcutSheet::html() const {
  QString rows;
  for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
    const QTreeWidgetItem* head = m_list->topLevelItem(i);
    if (head->isHidden()) continue;
    rows += QStringLiteral("<tr><td colspan=\"2\"><h3>%1</h3></td></tr>").arg(head->text(0).toHtmlEscaped());
    for (int k = 0; k < head->childCount(); ++k)
      if (!head->child(k)->isHidden())
        rows += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(head->child(k)->text(0).toHtmlEscaped(), head->child(k)->text(1).toHtmlEscaped());
  }
  return QStringLiteral("<h2>Cutaway \u2013 %1</h2><table>%2</table>").arg(windowTitle().toHtmlEscaped(), rows);
}

// A PDF prints everywhere, and needs no printer to be set up here.
void ShortcutSheet::print() {
  const QString file =
      QFileDialog::getSaveFileName(this, tr("Print into a PDF"), QStringLiteral("cutaway-keys.pdf"), tr("PDF (*.pdf)"));
  if (file.isEmpty()) return;
  QTextDocument document;
  document.setHtml(html());
  QBuffer pages;
  pages.open(QIODevice::WriteOnly);
  QPdfWriter writer(&pages);
  writer.setPageSize(QPageSize(QPageSize::A4));
  document.print(&writer);
  const Result<void> written = writeFileSafely(file, pages.data());
  m_window->message(written
                        ? tr("Written: %1").arg(file)
                        : tr("%1 could not be written: %2").arg(file, QString::fromStdString(written.error().message)));
}

}  // namespace cutaway::ui
