#pragma once
// What the cells of a matrix can show: one thing at a time, as text and as a place between little and much.
//
// Thread rule: pure. Example: for (const CellFace& face : facesOf(matrix, MatrixView::kTime)) draw(face.text,
// face.strength);

#include "sweep/answers/matrix.h"

namespace cutaway::sweep {

enum class MatrixView { kSummary, kProviders, kTime, kMemory, kError };
inline constexpr MatrixView kMatrixViews[] = {MatrixView::kSummary, MatrixView::kProviders, MatrixView::kTime,
                                              MatrixView::kMemory, MatrixView::kError};

struct CellFace {
  std::string text;  // an outcome that is not ok, and "open", go before what the view shows; empty: nothing is known
  double strength = -1;  // 0 little, 1 much; below 0: this cell is not weighed
};

// In the order of matrix.cells. Times and memory are weighed within their row: 1 is eight times the row's least.
// Errors are weighed by their order of magnitude from 1e-7 to 0.1, providers by the share of nodes that the last one
// has where others were asked.
std::vector<CellFace> facesOf(const Matrix& matrix, MatrixView view);

}  // namespace cutaway::sweep
