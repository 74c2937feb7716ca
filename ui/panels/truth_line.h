#pragma once
// What the figures above it are, in one line with its sign; gone while they are exact.
//
// Thread rule: GUI thread. Example: line->present(stageTruth(walk, Stage::kPattern));

#include <QWidget>

#include "engine/report/truth.h"

namespace cutaway::ui {

class ThemeStore;

class TruthLine : public QWidget {
  Q_OBJECT
 public:
  explicit TruthLine(const ThemeStore* themes, QWidget* parent = nullptr);
  void present(const Truth& truth);
  const Truth& truth() const { return m_truth; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const ThemeStore* m_themes;
  Truth m_truth;
  QString m_words;
};

}  // namespace cutaway::ui
