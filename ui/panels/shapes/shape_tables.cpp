#include "ui/panels/shapes/shape_tables.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <QCoreApplication>

#include "engine/report/truth.h"
#include "ui/base/format.h"
#include "ui/base/partial_amount.h"
#include "ui/base/truth_words.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::ShapeTables)
};

QString dash() {
  return QStringLiteral("\u2013");
}

QString bindingText(const ShapeBinding& binding) {
  return text(dimsSentence({binding.begin(), binding.end()}));
}

QString millisecondText(double milliseconds) {
  return timeText(static_cast<int64_t>(milliseconds * 1e6));
}

std::set<int64_t> sizesOf(const ShapeSweep& sweep, const std::string& dim) {
  std::set<int64_t> sizes;
  for (const ShapeRow& row : sweep.rows)
    sizes.insert(row.dims.at(dim));
  return sizes;
}

// The dimension that is drawn across.
std::string axisOf(const ShapeSweep& sweep) {
  return *std::ranges::max_element(sweep.dims, {}, [&](const std::string& dim) { return sizesOf(sweep, dim).size(); });
}

struct Point {
  double amount = -1;
  std::pair<double, double> spread{0, 0};
};

CurveChartData curvesOf(const ShapeSweep& sweep, const QString& what,
                        const std::function<Point(const ShapeRow&)>& pointOf) {
  CurveChartData data;
  if (sweep.rows.empty() || sweep.dims.empty()) return data;
  const std::string axis = axisOf(sweep);
  const std::set<int64_t> sizes = sizesOf(sweep, axis);
  for (const int64_t size : sizes)
    data.ticks.push_back(QString::number(size));
  data.axis = text(axis);
  std::map<ShapeBinding, size_t> curveOf;
  for (const ShapeRow& row : sweep.rows) {
    ShapeBinding others = row.dims;
    others.erase(axis);
    const auto [found, isNew] = curveOf.try_emplace(others, data.curves.size());
    if (isNew)
      data.curves.push_back({.label = others.empty() ? what : bindingText(others),
                             .amounts = std::vector<double>(sizes.size(), -1),
                             .dashed = data.curves.size() % 2 == 1,
                             .category = static_cast<int>(data.curves.size()),
                             .spread = std::vector<std::pair<double, double>>(sizes.size())});
    const auto place = static_cast<size_t>(std::distance(sizes.begin(), sizes.find(row.dims.at(axis))));
    const Point point = pointOf(row);
    data.curves[found->second].amounts[place] = point.amount;
    data.curves[found->second].spread[place] = point.spread;
  }
  return data;
}

bool isSimulated(const ShapeSweep& sweep) {
  return std::ranges::any_of(sweep.rows, [](const ShapeRow& row) { return !row.simulated.empty(); });
}

bool peakIsKnown(const ShapeRow& row) {
  return row.peakBytes >= 0 && row.unplannedBuffers == 0;
}

// "1 ms at batch = 1 to 8 ms at batch = 32" of the rows that have a figure.
QString rangeText(const ShapeSweep& sweep, const std::function<double(const ShapeRow&)>& amount,
                  QString (*write)(double)) {
  const ShapeRow *least = nullptr, *most = nullptr;
  for (const ShapeRow& row : sweep.rows) {
    if (amount(row) < 0) continue;
    if (!least || amount(row) < amount(*least)) least = &row;
    if (!most || amount(row) > amount(*most)) most = &row;
  }
  if (!least) return {};
  if (amount(*least) == amount(*most)) return write(amount(*least));
  return Words::tr("%1 at %2 to %3 at %4")
      .arg(write(amount(*least)), bindingText(least->dims), write(amount(*most)), bindingText(most->dims));
}

QString bytesText(double bytes) {
  return sizeText(static_cast<int64_t>(bytes));
}

QString medianCell(const ShapeRow& row) {
  if (row.runs == 0) return dash();
  const QString words = millisecondText(row.medianMs);
  return row.simulated.empty() ? words : Words::tr("%1 (simulated)").arg(words);
}

QString intervalCell(const ShapeRow& row) {
  if (row.runs == 0 || row.highMs <= row.lowMs) return dash();
  return spreadWords({.runs = row.runs, .medianMs = row.medianMs, .lowMs = row.lowMs, .highMs = row.highMs});
}

QString peakCell(const ShapeRow& row) {
  if (row.peakBytes < 0) return dash();
  return partialAmount(sizeText(row.peakBytes), row.unplannedBuffers > 0, row.peakBytes == 0);
}

QString noteCell(const ShapeRow& row) {
  QStringList notes;
  if (!row.problem.empty()) notes << told(row.problem);
  if (!row.assumed.empty()) notes << Words::tr("run at %1").arg(text(dimsSentence(row.assumed)));
  for (const std::string& name : row.simulated)
    notes << Words::tr("%1 is not here").arg(text(name));
  return notes.join(QStringLiteral("; "));
}

}  // namespace

bool wasRun(const ShapeSweep& sweep) {
  return std::ranges::any_of(sweep.rows, [](const ShapeRow& row) { return row.runs > 0; });
}

CurveChartData latencyCurves(const ShapeSweep& sweep) {
  CurveChartData data = curvesOf(
      sweep, isSimulated(sweep) ? Words::tr("median latency, simulated") : Words::tr("median latency"),
      [](const ShapeRow& row) { return row.runs > 0 ? Point{row.medianMs, {row.lowMs, row.highMs}} : Point{}; });
  data.write = millisecondText;
  if (!wasRun(sweep)) data.curves.clear();
  data.empty = Words::tr("Planned only: nothing was run.");
  return data;
}

CurveChartData peakCurves(const ShapeSweep& sweep) {
  CurveChartData data = curvesOf(sweep, Words::tr("planned peak"), [](const ShapeRow& row) {
    return peakIsKnown(row) ? Point{static_cast<double>(row.peakBytes), {}} : Point{};
  });
  data.empty = Words::tr("No peak is known: other dimensions are open.");
  if (std::ranges::none_of(sweep.rows, peakIsKnown)) data.curves.clear();
  return data;
}

QString sweepSentence(const ShapeSweep& sweep) {
  QStringList parts;
  const QString times =
      rangeText(sweep, [](const ShapeRow& row) { return row.runs > 0 ? row.medianMs : -1; }, millisecondText);
  if (!times.isEmpty())
    parts << (isSimulated(sweep) ? Words::tr("simulated median %1") : Words::tr("median %1")).arg(times);
  const QString peaks = rangeText(
      sweep, [](const ShapeRow& row) { return peakIsKnown(row) ? static_cast<double>(row.peakBytes) : -1; }, bytesText);
  if (!peaks.isEmpty()) parts << Words::tr("planned peak %1").arg(peaks);
  const auto failed = std::ranges::count_if(sweep.rows, [](const ShapeRow& row) { return !row.problem.empty(); });
  if (failed > 0) parts << Words::tr("%1 without figures").arg(failed);
  return Words::tr("%1 shapes: %2.").arg(sweep.rows.size()).arg(parts.join(QStringLiteral("; ")));
}

ReportRows shapeRows(const std::shared_ptr<const ShapeSweep>& sweep) {
  using Rows = ColumnOf<ShapeRow>;
  std::vector<Rows> columns;
  for (const std::string& dim : sweep->dims)
    columns.push_back({.title = text(dim),
                       .kind = Rows::kNumber,
                       .text = [dim](const ShapeRow& row) { return QString::number(row.dims.at(dim)); },
                       .key = [dim](const ShapeRow& row) { return row.dims.at(dim); }});
  const std::vector<Rows> figures = {
      {.title = Words::tr("Median"),
       .kind = Rows::kNumber,
       .text = medianCell,
       .key = [](const ShapeRow& row) { return row.runs > 0 ? row.medianMs : -1; }},
      {.title = Words::tr("95 % interval"), .kind = Rows::kNumber, .text = intervalCell},
      {.title = Words::tr("Planned peak"),
       .kind = Rows::kNumber,
       .text = peakCell,
       .key = [](const ShapeRow& row) { return row.peakBytes; }},
      {.title = Words::tr("Lower bound"),
       .kind = Rows::kNumber,
       .text = [](const ShapeRow& row) { return peakIsKnown(row) ? sizeText(row.lowerBoundBytes) : dash(); },
       .key = [](const ShapeRow& row) { return row.lowerBoundBytes; }},
      {.title = Words::tr("Groups"),
       .kind = Rows::kNumber,
       .text = [](const ShapeRow& row) { return row.groups < 0 ? dash() : countText(row.groups); },
       .key = [](const ShapeRow& row) { return row.groups; }},
      {.title = Words::tr("Left to the last provider"),
       .kind = Rows::kNumber,
       .text = [](const ShapeRow& row) { return row.leftNodes < 0 ? dash() : countText(row.leftNodes); },
       .key = [](const ShapeRow& row) { return row.leftNodes; }},
      {.title = Words::tr("Note"), .text = noteCell}};
  columns.insert(columns.end(), figures.begin(), figures.end());
  return rowsOf<ShapeRow>(partOf(sweep, sweep->rows), std::move(columns));
}

}  // namespace cutaway::ui
