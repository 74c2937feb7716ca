// The manual: one HTML file that searches itself, shown by the system's browser.
#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QUrl>

#include "ui/shell/command.h"
#include "ui/shell/main_window.h"

namespace cutaway::ui {
namespace {

void tell(MainWindow& window, const QString& what, const QString& path) {
  QMessageBox box(QMessageBox::Information, MainWindow::tr("Manual"), what, QMessageBox::Close, &window);
  box.setObjectName(QStringLiteral("manualMissing"));
  box.setInformativeText(QDir::toNativeSeparators(path));
  box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  QPushButton* copy = box.addButton(MainWindow::tr("Copy the path"), QMessageBox::ActionRole);
  QObject::connect(copy, &QPushButton::clicked, &box, [path] { QApplication::clipboard()->setText(path); });
  box.exec();
}

void openManual(MainWindow& window) {
  const QString path = QDir::cleanPath(
      QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("../share/cutaway/manual.html")));
  if (!QFileInfo::exists(path))
    return tell(window, MainWindow::tr("The manual is not where it should be; the program may not be installed whole."),
                path);
  if (!QDesktopServices::openUrl(QUrl::fromLocalFile(path)))
    tell(window, MainWindow::tr("No browser could be started. The manual is this file:"), path);
}

}  // namespace

std::vector<Command> commands_manual(MainWindow& window) {
  return {{.id = QStringLiteral("help.manual"),
           .menu = Menu::kHelp,
           .section = QStringLiteral("manual"),
           .title = MainWindow::tr("&Manual"),
           .keys = QStringLiteral("F1"),
           .help = MainWindow::tr("Opens the manual with its search in the browser; it needs no network."),
           .act = [&window] { openManual(window); },
           .needsPage = false}};
}

}  // namespace cutaway::ui
