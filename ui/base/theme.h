#pragma once
// Colours, typography and spacing of the window: one light and one dark theme, both our own.
//
// Categorical colours descend from Okabe and Ito's palette, which colour-blind people can tell apart; every use adds a
// letter or a pattern, so that colour is never alone. Thread rule: plain values, readable from any thread. Example:
// painter.setPen(theme.border);  painter.setBrush(theme.category(1).fill);

#include <array>

#include <QChar>
#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

namespace cutaway::ui {

// Distances in device-independent pixels; multiples of four, so that edges line up.
inline constexpr int kSpaceTiny = 2;
inline constexpr int kSpaceSmall = 4;
inline constexpr int kSpace = 8;
inline constexpr int kSpaceLarge = 12;
inline constexpr int kSpaceHuge = 20;
inline constexpr int kCornerRadius = 6;

struct CategoryLook {
  QColor color;                               // strong: bars, letters, far-away blocks
  QColor fill;                                // soft: card backgrounds
  Qt::BrushStyle pattern = Qt::SolidPattern;  // laid over the strong colour where there is room
};

inline constexpr int kCategoryCount = 8;

struct Theme {
  bool dark = false;
  QColor window;   // behind panels
  QColor canvas;   // behind the graph
  QColor surface;  // cards, tables
  QColor raised;   // hovered rows, table headers
  QColor border;
  QColor borderStrong;  // edges of the graph
  QColor text;
  QColor textSecondary;
  QColor textFaint;
  QColor accent;
  QColor accentText;  // on accent
  QColor accentSoft;  // selected rows
  QColor hit;         // search hits
  QColor error, errorSoft;
  QColor warning, warningSoft;
  QColor success;
  std::array<CategoryLook, kCategoryCount> categories;
  std::array<QColor, 5> rampStops;

  const CategoryLook& category(int index) const;  // repeats after kCategoryCount; negative: neutral grey (the last)
  QColor ramp(double position) const;  // 0 little, 1 much; lightness changes steadily, so it also reads in grey
  QColor textOn(const QColor& background) const;  // black or white, whichever contrasts more

  QPalette palette() const;
  QString styleSheet() const;

  static const Theme& light();
  static const Theme& darkTheme();
};

// Interface font at a size relative to the base size (13 px = 0).
QFont interfaceFont(int pixelDelta = 0, int weight = QFont::Normal);
QFont monospaceFont(int pixelDelta = 0);

// Mixes two colours; 0 gives the first, 1 the second.
QColor mix(const QColor& first, const QColor& second, double share);
// WCAG 2 contrast ratio, 1 to 21.
double contrast(const QColor& first, const QColor& second);

}  // namespace cutaway::ui
