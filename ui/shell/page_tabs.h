#pragma once
// The tabs of open models and sweeps: closed with the middle button, moved by dragging along the bar, dragged out of it
// as files for other programs, with a menu of their own.
//
// Thread rule: GUI thread. Example: const int tab = tabs->addPage(page, "model.onnx", path);  tabs->pageAt(tab);

#include <QTabBar>

namespace cutaway::ui {

class DocumentPage;

class PageTabs : public QTabBar {
  Q_OBJECT
 public:
  explicit PageTabs(QWidget* parent = nullptr);

  int addPage(QWidget* page, const QString& title, const QString& path);
  QWidget* widgetAt(int tab) const;
  DocumentPage* pageAt(int tab) const;  // null: it shows no model
  int tabOf(const QWidget* page) const;
  void step(int by);  // to the next or previous tab, around the end

 signals:
  void closeOthersRequested(int tab);

 protected:
  // Hands the tab's file to whatever program it is let go over.
  virtual void dragFile(const QString& path);
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  int m_pressed = -1;  // tab that the middle button went down on
  int m_held = -1;     // tab that the left button went down on
};

}  // namespace cutaway::ui
