#include "ui/shell/page_tabs.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QUrl>

#include "ui/shell/document_page.h"

namespace cutaway::ui {

PageTabs::PageTabs(QWidget* parent) : QTabBar(parent) {
  setTabsClosable(true);
  setMovable(true);
  setExpanding(false);
  setDocumentMode(true);
  setDrawBase(false);
  setAutoHide(true);  // one model needs no tab
  setElideMode(Qt::ElideMiddle);
  setAccessibleName(tr("Open models"));
}

int PageTabs::addPage(DocumentPage* page, const QString& title, const QString& path) {
  const int tab = addTab(title);
  setTabData(tab, QVariant::fromValue<QObject*>(page));
  setTabToolTip(tab, QDir::toNativeSeparators(path));
  return tab;
}

DocumentPage* PageTabs::pageAt(int tab) const {
  return qobject_cast<DocumentPage*>(tabData(tab).value<QObject*>());
}

int PageTabs::tabOf(const DocumentPage* page) const {
  for (int tab = 0; tab < count(); ++tab)
    if (pageAt(tab) == page) return tab;
  return -1;
}

void PageTabs::step(int by) {
  if (count() > 1) setCurrentIndex((currentIndex() + by + count()) % count());
}

void PageTabs::mousePressEvent(QMouseEvent* event) {
  m_pressed = event->button() == Qt::MiddleButton ? tabAt(event->pos()) : -1;
  if (m_pressed < 0) QTabBar::mousePressEvent(event);
}

void PageTabs::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::MiddleButton) return QTabBar::mouseReleaseEvent(event);
  if (m_pressed >= 0 && m_pressed == tabAt(event->pos())) emit tabCloseRequested(m_pressed);
  m_pressed = -1;
}

void PageTabs::contextMenuEvent(QContextMenuEvent* event) {
  const int tab = event->reason() == QContextMenuEvent::Mouse ? tabAt(event->pos()) : currentIndex();
  DocumentPage* page = tab < 0 ? nullptr : pageAt(tab);
  if (!page) return;
  const QString path = page->document()->path();
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("tabMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("Copy path"), this,
                  [path] { QGuiApplication::clipboard()->setText(QDir::toNativeSeparators(path)); });
  menu->addAction(tr("Open folder"), this,
                  [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).path())); });
  menu->addSeparator();
  menu->addAction(tr("Close"), this, [this, page] { emit tabCloseRequested(tabOf(page)); });
  QAction* others = menu->addAction(tr("Close others"), this, [this, page] { emit closeOthersRequested(tabOf(page)); });
  others->setEnabled(count() > 1);
  menu->popup(event->reason() == QContextMenuEvent::Mouse ? event->globalPos()
                                                          : mapToGlobal(tabRect(tab).bottomLeft()));
}

}  // namespace cutaway::ui
