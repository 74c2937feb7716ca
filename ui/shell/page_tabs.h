#pragma once
// The tabs of open models: closed with the middle button, moved by dragging, with a menu of their own.
//
// Thread rule: GUI thread. Example: const int tab = tabs->addPage(page, "model.onnx", path);  tabs->pageAt(tab);

#include <QTabBar>

namespace cutaway::ui {

class DocumentPage;

class PageTabs : public QTabBar {
  Q_OBJECT
 public:
  explicit PageTabs(QWidget* parent = nullptr);

  int addPage(DocumentPage* page, const QString& title, const QString& path);
  DocumentPage* pageAt(int tab) const;
  int tabOf(const DocumentPage* page) const;
  void step(int by);  // to the next or previous tab, around the end

 signals:
  void closeOthersRequested(int tab);

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  int m_pressed = -1;  // tab that the middle button went down on
};

}  // namespace cutaway::ui
