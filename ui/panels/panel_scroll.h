#pragma once
// What a panel shows, scrolled where its dock is lower than that needs, as with text of 200 %.
//
// Whether there is a scroll bar follows from the least height alone, which the bar's width does not change: a
// QScrollArea around a layout with wrapped lines may turn its bar on and off without end. Thread rule: GUI thread.
// Example:
//   layout->addWidget(new PanelScroll(content));   // owns it

#include <QScrollArea>

namespace cutaway::ui {

class PanelScroll : public QScrollArea {
 public:
  explicit PanelScroll(QWidget* content);
  QSize minimumSizeHint() const override;  // as wide as the content asks for; low

 private:
  QWidget* m_content;
};

}  // namespace cutaway::ui
