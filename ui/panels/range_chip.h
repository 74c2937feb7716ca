#pragma once
// The chosen range of steps in one line - how many nodes, how long, how many bytes, how much work - with a button that
// takes it off. It floats at the top of the canvas, in every stage.
//
// Thread rule: GUI thread.
// Example: new RangeChip(context, canvas->view());

#include <QFrame>

#include "ui/panels/panel.h"

class QLabel;
class QToolButton;

namespace cutaway::ui {

class RangeChip : public QFrame {
  Q_OBJECT
 public:
  RangeChip(const PanelContext& context, QWidget* over);
  QString words() const;

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void refresh();
  void place();

  PanelContext m_context;
  QLabel* m_words;
  QToolButton* m_close;
};

// "Steps 3–9 · 7 nodes · 1.2 ms · writes 3.4 MB · 1.2 GFLOP".
QString rangeWords(const Document& document);

}  // namespace cutaway::ui
