#pragma once
// Where what floats over the graph stands: in the corner where it hides the least of the cards.
//
// Thread rule: pure. Example: legend->setGeometry(leastCovered({120, 80}, view->size(), kLegendCorners, covered));

#include <array>
#include <functional>
#include <span>

#include <QRect>
#include <QSize>

namespace cutaway::ui {

inline constexpr int kFloatingMargin = 12;  // between what floats and the border of the canvas

enum class Corner { kLowerLeft, kUpperLeft, kUpperRight, kLowerRight };
// In the order in which they are taken where nothing is hidden.
inline constexpr std::array kLegendCorners = {Corner::kLowerLeft, Corner::kUpperLeft, Corner::kUpperRight,
                                              Corner::kLowerRight};
inline constexpr std::array kMapCorners = {Corner::kLowerRight, Corner::kUpperRight, Corner::kLowerLeft,
                                           Corner::kUpperLeft};

// How much of a rectangle of the canvas is taken, in any unit.
using Covered = std::function<double(const QRect&)>;

// A corner gives way only to one that hides less than half of what it hides itself: what floats stays where it is
// looked for.
QRect leastCovered(const QSize& size, const QSize& canvas, std::span<const Corner> corners, const Covered& covered);

// So low that cards need all of it: a legend is one row of marks there, and a map of the graph is none.
bool isLowCanvas(const QSize& canvas);

}  // namespace cutaway::ui
