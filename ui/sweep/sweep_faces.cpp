#include "ui/sweep/sweep_faces.h"

#include "sweep/answers/views.h"

#include <QObject>

#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

constexpr double kSoft = 0.78;      // how much of the surface is left in a colour behind words
constexpr double kStrongest = 0.7;  // of the colour that says "much"

sweep::MatrixView matrixView(SweepView view) {
  switch (view) {
    case SweepView::kProviders:
      return sweep::MatrixView::kProviders;
    case SweepView::kTime:
      return sweep::MatrixView::kTime;
    case SweepView::kMemory:
      return sweep::MatrixView::kMemory;
    case SweepView::kError:
      return sweep::MatrixView::kError;
    default:
      return sweep::MatrixView::kSummary;
  }
}

QColor outcomeColor(const sweep::MatrixCell& cell, const Theme& theme) {
  switch (cell.worst()) {
    case sweep::Outcome::kOk:
      return cell.open() > 0 ? theme.raised : mix(theme.success, theme.surface, kSoft);
    case sweep::Outcome::kCheckFailed:
      return theme.warningSoft;
    case sweep::Outcome::kRefused:
      return theme.accentSoft;
    case sweep::Outcome::kBadModel:
      return mix(theme.textFaint, theme.surface, kSoft);
    default:
      return theme.errorSoft;
  }
}

bool isPlain(const sweep::MatrixCell& cell) {
  return cell.worst() == sweep::Outcome::kOk && cell.open() < static_cast<int64_t>(cell.results.size());
}

// Outcomes in the window's language; everything else is figures and names.
QString wordsOf(const sweep::MatrixCell& cell, const std::string& english) {
  if (cell.worst() != sweep::Outcome::kOk) return outcomeTitle(cell.worst());
  return isPlain(cell) ? text(english) : QObject::tr("open");
}

SweepFace changeFace(const sweep::CellChange& change, const Theme& theme) {
  if (!change.isCompared) return {QObject::tr("not compared"), {}, false};
  if (!change.worse.empty())
    return {QObject::tr("worse: %1").arg(text(sweep::gateKindName(change.worse.front().kind))), theme.errorSoft, false};
  if (!change.better.empty()) return {QObject::tr("better"), mix(theme.success, theme.surface, kSoft), false};
  return {QObject::tr("the same"), {}, false};
}

QStringList titles(const std::vector<std::string>& names) {
  QStringList all;
  for (const std::string& name : names)
    all << text(name);
  return all;
}

}  // namespace

QString viewTitle(SweepView view) {
  switch (view) {
    case SweepView::kSummary:
      return QObject::tr("Outcome");
    case SweepView::kProviders:
      return QObject::tr("Nodes per provider");
    case SweepView::kTime:
      return QObject::tr("Time");
    case SweepView::kMemory:
      return QObject::tr("Planned memory");
    case SweepView::kError:
      return QObject::tr("Error");
    case SweepView::kChange:
      break;
  }
  return QObject::tr("Change");
}

QString viewLegend(SweepView view) {
  switch (view) {
    case SweepView::kSummary:
      return QObject::tr("Colours say how jobs ended; words say the same.");
    case SweepView::kProviders:
      return QObject::tr("Darker: more nodes on the last provider, which takes what is left.");
    case SweepView::kTime:
    case SweepView::kMemory:
      return QObject::tr("Darker: more than the least of the row; darkest: eight times that.");
    case SweepView::kError:
      return QObject::tr("Darker: a larger error of an output, by orders of magnitude.");
    case SweepView::kChange:
      break;
  }
  return QObject::tr(
      "Exact figures are compared as they are, measured ones beyond noise and on machines of one class.");
}

QString outcomeTitle(sweep::Outcome outcome) {
  switch (outcome) {
    case sweep::Outcome::kOk:
      return QObject::tr("ok");
    case sweep::Outcome::kCheckFailed:
      return QObject::tr("check failed");
    case sweep::Outcome::kBadModel:
      return QObject::tr("bad model");
    case sweep::Outcome::kRefused:
      return QObject::tr("refused");
    case sweep::Outcome::kCrashed:
      return QObject::tr("crashed");
    case sweep::Outcome::kTimeout:
      return QObject::tr("timeout");
    case sweep::Outcome::kRubbish:
      break;
  }
  return QObject::tr("unreadable report");
}

std::vector<SweepFace> sweepFaces(const SweepSnapshot& sweep, SweepView view, const Theme& theme) {
  const std::vector<sweep::MatrixCell>& cells = sweep.matrix.cells;
  std::vector<SweepFace> faces(cells.size());
  const bool isChange = view == SweepView::kChange;
  const auto said = isChange ? std::vector<sweep::CellFace>() : sweep::facesOf(sweep.matrix, matrixView(view));
  for (size_t i = 0; i < cells.size(); ++i) {
    SweepFace& face = faces[i];
    face.isEmpty = cells[i].isEmpty();
    if (face.isEmpty || (isChange && !sweep.comparison)) continue;
    if (isChange) {
      face = changeFace(sweep.comparison->cells[i], theme);
      continue;
    }
    face.words = wordsOf(cells[i], said[i].text);
    if (view == SweepView::kSummary || !isPlain(cells[i]))
      face.fill = outcomeColor(cells[i], theme);
    else if (said[i].strength >= 0)
      face.fill = mix(theme.surface, theme.ramp(0.65), said[i].strength * kStrongest);
  }
  return faces;
}

QStringList rowTitles(const SweepSnapshot& sweep) {
  return titles(sweep.matrix.models);
}

QStringList columnTitles(const SweepSnapshot& sweep) {
  return titles(sweep.matrix.configurations);
}

}  // namespace cutaway::ui
