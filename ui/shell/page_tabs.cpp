#include "ui/shell/page_tabs.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QDesktopServices>
#include <QDir>
#include <QDrag>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QUrl>

#include "ui/base/icons.h"
#include "ui/shell/document_page.h"

namespace cutaway::ui {
namespace {
constexpr int kOutOfBar = 24;  // pixels: farther than a hand that moves a tab along the bar strays
}  // namespace

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

int PageTabs::addPage(QWidget* page, const QString& title, const QString& path) {
  const int tab = addTab(title);
  setTabData(tab, QVariant::fromValue<QObject*>(page));
  setTabToolTip(tab, QDir::toNativeSeparators(path));
  return tab;
}

QWidget* PageTabs::widgetAt(int tab) const {
  return qobject_cast<QWidget*>(tabData(tab).value<QObject*>());
}

DocumentPage* PageTabs::pageAt(int tab) const {
  return qobject_cast<DocumentPage*>(widgetAt(tab));
}

int PageTabs::tabOf(const QWidget* page) const {
  for (int tab = 0; tab < count(); ++tab)
    if (widgetAt(tab) == page) return tab;
  return -1;
}

void PageTabs::step(int by) {
  if (count() > 1) setCurrentIndex((currentIndex() + by + count()) % count());
}

void PageTabs::dragFile(const QString& path) {
  auto* data = new QMimeData;
  data->setUrls({QUrl::fromLocalFile(path)});
  auto* drag = new QDrag(this);
  drag->setMimeData(data);
  drag->setPixmap(iconPixmap(QStringLiteral("cutaway"), Qt::black, 32, devicePixelRatioF()));
  drag->exec(Qt::CopyAction);
}

void PageTabs::mousePressEvent(QMouseEvent* event) {
  m_held = event->button() == Qt::LeftButton ? tabAt(event->pos()) : -1;
  m_pressed = event->button() == Qt::MiddleButton ? tabAt(event->pos()) : -1;
  if (m_pressed < 0) QTabBar::mousePressEvent(event);
}

void PageTabs::mouseMoveEvent(QMouseEvent* event) {
  const bool isOutside = event->pos().y() < -kOutOfBar || event->pos().y() > height() + kOutOfBar;
  if (m_held < 0 || !(event->buttons() & Qt::LeftButton) || !isOutside) return QTabBar::mouseMoveEvent(event);
  const QString path = QDir::fromNativeSeparators(tabToolTip(m_held));
  m_held = -1;
  // The bar lets go of the tab that it may have been moving.
  QMouseEvent release(QEvent::MouseButtonRelease, event->position(), event->globalPosition(), Qt::LeftButton,
                      Qt::NoButton, event->modifiers());
  QTabBar::mouseReleaseEvent(&release);
  dragFile(path);
}

void PageTabs::mouseReleaseEvent(QMouseEvent* event) {
  m_held = -1;
  if (event->button() != Qt::MiddleButton) return QTabBar::mouseReleaseEvent(event);
  if (m_pressed >= 0 && m_pressed == tabAt(event->pos())) emit tabCloseRequested(m_pressed);
  m_pressed = -1;
}

void PageTabs::contextMenuEvent(QContextMenuEvent* event) {
  const int tab = event->reason() == QContextMenuEvent::Mouse ? tabAt(event->pos()) : currentIndex();
  QWidget* page = tab < 0 ? nullptr : widgetAt(tab);
  if (!page) return;
  const QString path = tabToolTip(tab);
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("tabMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("Copy path"), this, [path] { QGuiApplication::clipboard()->setText(path); });
  menu->addAction(tr("Open folder"), this, [path] {
    QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(QDir::fromNativeSeparators(path)).path()));
  });
  menu->addSeparator();
  menu->addAction(tr("Close"), this, [this, page] { emit tabCloseRequested(tabOf(page)); });
  QAction* others = menu->addAction(tr("Close others"), this, [this, page] { emit closeOthersRequested(tabOf(page)); });
  others->setEnabled(count() > 1);
  menu->popup(event->reason() == QContextMenuEvent::Mouse ? event->globalPos()
                                                          : mapToGlobal(tabRect(tab).bottomLeft()));
}

}  // namespace cutaway::ui
