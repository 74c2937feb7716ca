#include "sweep/answers/views.h"

#include <algorithm>
#include <cmath>

namespace cutaway::sweep {

namespace {

constexpr double kDoublings = 3;  // of a row's least, up to the strongest colour
constexpr double kLeastErrorPower = -7, kMostErrorPower = -1;

const char* figureOfView(MatrixView view) {
  switch (view) {
    case MatrixView::kTime:
      return "median_ms";
    case MatrixView::kMemory:
      return "planned_peak_bytes";
    case MatrixView::kError:
      return "max_abs_error";
    default:
      return nullptr;
  }
}

// True where the outcome is all there is to say.
bool sayOutcome(const MatrixCell& cell, CellFace& face) {
  if (cell.isEmpty()) return true;
  if (const Outcome worst = cell.worst(); worst != Outcome::kOk)
    face.text = outcomeName(worst);
  else if (cell.open() == static_cast<int64_t>(cell.results.size()))
    face.text = "open";
  return !face.text.empty();
}

void sayProviders(const MatrixCell& cell, CellFace& face) {
  const std::vector<ProviderShare>* providers = cell.providers();
  if (providers == nullptr) return;
  face.text = shareText(*providers);
  int64_t all = 0;
  for (const ProviderShare& share : *providers)
    all += share.nodes;
  if (providers->size() > 1 && all > 0)
    face.strength = static_cast<double>(providers->back().nodes) / static_cast<double>(all);
}

double strengthOf(double value, double least, MatrixView view) {
  if (view == MatrixView::kError)
    return value <= 0
               ? 0
               : std::clamp((std::log10(value) - kLeastErrorPower) / (kMostErrorPower - kLeastErrorPower), 0.0, 1.0);
  return value <= 0 || least <= 0 ? 0 : std::clamp(std::log2(value / least) / kDoublings, 0.0, 1.0);
}

// A row of figures: its cells are weighed against each other.
void sayFigures(const Matrix& matrix, size_t model, MatrixView view, std::vector<CellFace>& faces) {
  const size_t columns = matrix.configurations.size();
  std::vector<std::optional<Figure>> figures(columns);
  double least = INFINITY;
  for (size_t c = 0; c < columns; ++c) {
    if (sayOutcome(matrix.at(model, c), faces[model * columns + c])) continue;
    figures[c] = matrix.at(model, c).figure(figureOfView(view));
    if (figures[c]) least = std::min(least, figures[c]->value);
  }
  for (size_t c = 0; c < columns; ++c) {
    if (!figures[c]) continue;
    faces[model * columns + c] = {figureText(*figures[c]), strengthOf(figures[c]->value, least, view)};
  }
}

}  // namespace

std::vector<CellFace> facesOf(const Matrix& matrix, MatrixView view) {
  std::vector<CellFace> faces(matrix.cells.size());
  if (figureOfView(view) != nullptr) {
    for (size_t m = 0; m < matrix.models.size(); ++m)
      sayFigures(matrix, m, view, faces);
    return faces;
  }
  for (size_t i = 0; i < faces.size(); ++i) {
    if (view == MatrixView::kSummary)
      faces[i].text = cellText(matrix.cells[i]);
    else if (!sayOutcome(matrix.cells[i], faces[i]))
      sayProviders(matrix.cells[i], faces[i]);
  }
  return faces;
}

}  // namespace cutaway::sweep
