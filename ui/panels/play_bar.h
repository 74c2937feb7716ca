#pragma once
// Walks through the execution order: play, one step back or on, a slider, how fast, and where it is in words. Every
// panel with a picture over steps has one; all move the document's one playhead.
//
// Space plays and pauses, the arrow keys step, Page Up and Down leap, Escape takes range and step off.
// Thread rule: GUI thread.
// Example: addTop(new PlayBar(context()));

#include <QWidget>

#include "ui/panels/panel.h"

class QComboBox;
class QKeyEvent;
class QLabel;
class QSlider;
class QToolButton;

namespace cutaway::ui {

class PlayBar : public QWidget {
  Q_OBJECT
 public:
  explicit PlayBar(const PanelContext& context, QWidget* parent = nullptr);
  QSlider* slider() { return m_slider; }
  QToolButton* playButton() { return m_play; }
  QLabel* words() { return m_here; }

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  QToolButton* button(const QString& words, const QString& icon, const QString& tip);
  void refresh();
  void refreshIcons();
  void refreshPlaying();
  void followSelection();
  void showWords();
  void goTo(int step);

  PanelContext m_context;
  QToolButton* m_back;
  QToolButton* m_play;
  QToolButton* m_on;
  QSlider* m_slider;
  QComboBox* m_speed;
  QLabel* m_here;
  QString m_words;
};

// "step 12 of 92 · conv1 · live 1.2 MB, peak so far 2.1 MB at step 7".
QString playWords(const Document& document, int step);
// The selected node takes part in this step of the main order; -1: none does.
int stepOfSelection(const Document& document);
// Space, arrows, M and Escape as every picture over steps has them; false: another key.
bool handlePlayKey(Document& document, QKeyEvent* event);
// Goes to a step and selects its node.
void goToStep(Document& document, int step);

}  // namespace cutaway::ui
