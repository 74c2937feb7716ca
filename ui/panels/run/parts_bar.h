#pragma once
// One bar divided by shares, with a legend below it that says what each part is and how much.
//
// Thread rule: GUI thread.
// Example: bar->present({{"Weights", 680, 0, "680 B"}, {"Activations", 4096, 2, "4 KB"}});

#include <vector>

#include <QWidget>

namespace cutaway::ui {

class ThemeStore;

struct BarPart {
  QString name;
  int64_t amount = 0;
  int category = 0;
  QString figure;
  QString toolTip = {};
  QChar letter = {};
};

class PartsBar : public QWidget {
  Q_OBJECT
 public:
  explicit PartsBar(const ThemeStore* themes, QWidget* parent = nullptr);
  void present(std::vector<BarPart> parts);
  const std::vector<BarPart>& parts() const { return m_parts; }
  void setBarShown(bool shown);  // false: the legend alone
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return {420, heightForWidth(std::max(200, width()))}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  // Places of the legend's entries, row by row.
  std::vector<QRectF> legendPlaces(int width) const;
  double barHeight() const { return m_barShown ? 18 : 2; }

  const ThemeStore* m_themes;
  std::vector<BarPart> m_parts;
  bool m_barShown = true;
};

}  // namespace cutaway::ui
