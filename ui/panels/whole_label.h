#pragma once
// A label of several lines that is never cut: where room is short, others give way.
//
// Layouts may squeeze a QLabel that wraps below the height of its words. Thread rule: GUI thread. Example:
//   auto* message = new WholeLabel;   message->setText(words);

#include <QLabel>

namespace cutaway::ui {

class WholeLabel : public QLabel {
 public:
  explicit WholeLabel(QWidget* parent = nullptr);
  void setText(const QString& words);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void keepWhole();
};

}  // namespace cutaway::ui
