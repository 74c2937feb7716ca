#pragma once
// The walk itself across the top of the window: one button a stage, with headline figure, time and state, and
// below that another engine's figure where it was asked.
//
// Thread rule: GUI thread. Example: ribbon->present(document);  connect(ribbon, &StageRibbon::stageChosen, ...);

#include <array>
#include <optional>

#include <QAbstractButton>
#include <QFont>
#include <QWidget>

#include "engine/report/truth.h"
#include "ui/base/comfort.h"
#include "ui/document/opinion_words.h"

namespace cutaway::ui {

class Document;
class ThemeStore;

class StageButton : public QAbstractButton {
  Q_OBJECT
 public:
  StageButton(Stage stage, ThemeStore* themes, QWidget* parent);
  void present(const QString& headline, const QString& time, StageState state, const Truth& truth);
  // ONNX Runtime's line; nullopt: it was not asked, and there is no room for one.
  void presentOther(const std::optional<OtherLine>& line);
  const std::optional<OtherLine>& other() const { return m_other; }
  StageState state() const { return m_state; }
  const QString& headline() const { return m_headline; }
  QString shownHeadline() const;  // with the words for none
  int wantedWidth() const;        // at which nothing is cut
  int shortestWidth() const;      // at which title and shortest figure are whole; the icon gives way
  // How large text is here, of what it is elsewhere; never smaller than text of 100 %.
  void setTextShare(double share);
  QSize sizeHint() const override { return {150, wantedHeight()}; }
  QSize minimumSizeHint() const override { return {48, wantedHeight()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  int wantedHeight() const { return m_other ? scaled(84) : scaled(64); }
  void describe();
  int padding() const;
  QFont textFont(int pixelDelta, int weight) const;
  QFont titleFont() const { return textFont(0, QFont::DemiBold); }
  QFont figureFont() const { return textFont(-1, QFont::Normal); }
  void paintTitle(QPainter& painter) const;
  void paintState(QPainter& painter, const QRectF& where) const;
  void paintOther(QPainter& painter) const;

  Stage m_stage;
  ThemeStore* m_themes;
  QString m_headline;
  QString m_time;
  StageState m_state = StageState::kWaiting;
  Truth m_truth;  // of the figure
  std::optional<OtherLine> m_other;
  double m_textShare = 1;
  bool m_hovered = false;
};

class StageRibbon : public QWidget {
  Q_OBJECT
 public:
  explicit StageRibbon(ThemeStore* themes, QWidget* parent = nullptr);
  void present(const Document* document);  // null: nothing is open
  StageButton* button(Stage stage) { return m_buttons[static_cast<size_t>(stage)]; }

 signals:
  void stageChosen(cutaway::Stage stage);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void shareWidth();
  int shortestWidth() const;
  void fitText();

  std::array<StageButton*, kStageCount> m_buttons{};
};

}  // namespace cutaway::ui
