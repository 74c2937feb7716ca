#include "sweep/answers/gate.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sweep/answers/matrix.h"

#include "engine/base/format.h"

namespace cutaway::sweep {

namespace {

constexpr double kSignificance = 0.0501;  // three repeats against three give 1/20
constexpr double kDeviations = 3;
constexpr double kAccuracyFloor = 1e-7;  // below it errors are those of the last bit
constexpr size_t kNamedNodes = 5;
constexpr size_t kLeastRepeats = 3;

// The repeats of one cell on one side.
struct Side {
  std::vector<const CellResult*> results;

  const CellResult& first() const { return *results.front(); }
  std::optional<double> exact(const std::string& name) const {
    const auto& figures = first().record.findings.figures;
    const auto found = figures.find(name);
    return found == figures.end() ? std::nullopt : std::optional(found->second.value);
  }
  std::vector<double> values(const std::string& name) const {
    std::vector<double> values;
    for (const CellResult* each : results) {
      const auto found = each->record.findings.figures.find(name);
      if (found != each->record.findings.figures.end()) values.push_back(found->second.value);
    }
    return values;
  }
  std::string machineClass() const { return first().record.machine.className(); }
  Outcome worst() const {
    const auto bad =
        std::ranges::find_if(results, [](const auto* each) { return each->record.outcome != Outcome::kOk; });
    return bad == results.end() ? Outcome::kOk : (*bad)->record.outcome;
  }
};

using Sides = std::map<Cell, Side>;

Sides sidesOf(const std::vector<CellResult>& cells) {
  Sides sides;
  for (const CellResult& each : cells) {
    Cell cell = each.cell;
    cell.repeat = 0;
    if (each.isDone) sides[cell].results.push_back(&each);
  }
  return sides;
}

std::string change(double before, double now, const std::string& unit) {
  const Figure from = {.value = before, .unit = unit}, to = {.value = now, .unit = unit};
  const std::string share = before > 0 ? fmt::format(" ({:+.1f} %)", (now / before - 1) * 100) : "";
  return fmt::format("{} instead of {}{}", figureText(to), figureText(from), share);
}

class Gate {
 public:
  Gate(const ReadPlacements& placements, const GateSettings& settings)
      : m_placements(placements), m_settings(settings) {}

  Result<void> compare(const Cell& cell, const Side& before, const Side& now) {
    m_cell = cell;
    m_file = now.first().file;
    ++m_report.compared;
    m_report.cells.push_back(cell);
    if (!outcomes(before, now)) return {};
    CUTAWAY_CHECK(fallback(before, now));
    groups(before, now);
    exactFigure(before, now, "planned_peak_bytes", m_settings.memory, GateKind::kMemory, "planned peak memory");
    exactFigure(before, now, "context_bytes", m_settings.contextSize, GateKind::kContext, "size of the context");
    accuracy(before, now);
    context(before, now);
    measured(before, now, "median_ms", "ms", m_settings.time, GateKind::kTime, "median time");
    measured(before, now, "context_load_ms", "ms", m_settings.time, GateKind::kTime, "loading the context");
    measured(before, now, "peak_rss_bytes", "bytes", m_settings.residentMemory, GateKind::kMemory, "resident memory");
    return {};
  }
  void note(std::string text) { m_report.notes.push_back(std::move(text)); }
  GateReport take() { return std::move(m_report); }

 private:
  void worse(GateKind kind, std::string text, bool isMeasured = false) {
    m_report.worse.push_back({kind, m_cell, m_file, isMeasured, std::move(text)});
  }

  // False: there are no figures to compare.
  bool outcomes(const Side& before, const Side& now) {
    const Outcome then = before.worst(), today = now.worst();
    if (today != Outcome::kOk && then == Outcome::kOk) {
      const auto bad =
          std::ranges::find_if(now.results, [](const auto* each) { return each->record.outcome != Outcome::kOk; });
      const bool loads =
          m_cell.measure != MeasureKind::kContext || (*bad)->record.findings.figures.contains("context_loads");
      const GateKind kind = m_cell.measure == MeasureKind::kContext && (!loads || figureIs(**bad, "context_loads", 0))
                                ? GateKind::kContext
                            : today == Outcome::kCheckFailed ? GateKind::kAccuracy
                                                             : GateKind::kOutcome;
      worse(kind, fmt::format("{}, where the other side is ok: {}", outcomeName(today), (*bad)->record.message));
    }
    return then == Outcome::kOk && today == Outcome::kOk;
  }

  static bool figureIs(const CellResult& cell, const std::string& name, double value) {
    const auto found = cell.record.findings.figures.find(name);
    return found != cell.record.findings.figures.end() && found->second.value == value;
  }

  Result<void> fallback(const Side& before, const Side& now) {
    const auto then = before.exact("fallback_nodes"), today = now.exact("fallback_nodes");
    if (!then || !today || *today <= *then || now.first().record.findings.providers.empty()) return {};
    CUTAWAY_TRY(const std::vector<NodePlacement> old, m_placements(true, before.first().key));
    CUTAWAY_TRY(const std::vector<NodePlacement> current, m_placements(false, now.first().key));
    const std::string last = now.first().record.findings.providers.back().provider;
    std::set<std::string> wereElsewhere;
    for (const NodePlacement& each : old) {
      if (each.provider != last) wereElsewhere.insert(each.node);
    }
    std::vector<std::string> names;
    size_t fallen = 0;
    for (const NodePlacement& each : current) {
      if (each.provider != last || !wereElsewhere.contains(each.node)) continue;
      if (++fallen <= kNamedNodes) names.push_back(each.node);
    }
    worse(GateKind::kFallback,
          fmt::format("{:g} nodes on {} instead of {:g}{}{}{}", *today, last, *then, names.empty() ? "" : ": ",
                      fmt::join(names, ", "), fallen > kNamedNodes ? " and others" : ""));
    return {};
  }

  void groups(const Side& before, const Side& now) {
    const auto then = before.exact("groups"), today = now.exact("groups");
    if (then && today && *today > *then && *then > 0)
      worse(GateKind::kGroups, fmt::format("{:g} groups instead of {:g}", *today, *then));
  }

  void exactFigure(const Side& before, const Side& now, const std::string& name, double share, GateKind kind,
                   const char* title) {
    const auto then = before.exact(name), today = now.exact(name);
    if (then && today && *today > *then * (1 + share))
      worse(kind, fmt::format("{}: {}", title, change(*then, *today, "bytes")));
  }

  void accuracy(const Side& before, const Side& now) {
    const auto then = before.exact("max_abs_error"), today = now.exact("max_abs_error");
    if (then && today && *today > *then * (1 + m_settings.accuracy) + kAccuracyFloor)
      worse(GateKind::kAccuracy, fmt::format("largest error of an output: {}", change(*then, *today, "")));
  }

  void context(const Side& before, const Side& now) {
    const auto then = before.exact("context_nodes"), today = now.exact("context_nodes");
    if (then && today && *then > 0 && *today == 0) worse(GateKind::kContext, "nothing is kept in the context any more");
  }

  void measured(const Side& before, const Side& now, const std::string& name, const std::string& unit, double share,
                GateKind kind, const char* title) {
    const std::vector<double> then = before.values(name), today = now.values(name);
    if (then.empty() || today.empty()) return;
    const auto cellName = [&] { return fmt::format("{}, {}: {}", m_cell.model, m_cell.configuration, title); };
    if (before.machineClass() != now.machineClass())
      return note(fmt::format("{} is not compared: {} and {}", cellName(), before.machineClass(), now.machineClass()));
    if (std::min(then.size(), today.size()) < kLeastRepeats)
      return note(
          fmt::format("{} is not compared: it needs at least {} repeats on both sides", cellName(), kLeastRepeats));
    const double old = medianOf(then), current = medianOf(today);
    const double spread = std::hypot(robustDeviation(then), robustDeviation(today));
    const bool isWorse =
        current > old * (1 + share) && current - old > kDeviations * spread && mannWhitney(then, today) < kSignificance;
    if (isWorse)
      worse(kind,
            fmt::format("{}: {}, medians of {} and {} repeats, spread {}", title, change(old, current, unit),
                        today.size(), then.size(), figureText({.value = spread, .unit = unit})),
            true);
  }

  const ReadPlacements& m_placements;
  const GateSettings& m_settings;
  GateReport m_report;
  Cell m_cell;
  std::string m_file;
};

}  // namespace

std::string_view gateKindName(GateKind kind) {
  switch (kind) {
    case GateKind::kOutcome:
      return "no longer works";
    case GateKind::kFallback:
      return "nodes fell to the last provider";
    case GateKind::kGroups:
      return "groups were split";
    case GateKind::kTime:
      return "slower";
    case GateKind::kMemory:
      return "more memory";
    case GateKind::kAccuracy:
      return "less accurate";
    case GateKind::kContext:
      break;
  }
  return "context is worse";
}

Result<GateReport> gate(const std::vector<CellResult>& baseline, const std::vector<CellResult>& current,
                        const ReadPlacements& placements, const GateSettings& settings) {
  const Sides before = sidesOf(baseline), now = sidesOf(current);
  Gate gate(placements, settings);
  for (const auto& [cell, side] : now) {
    const auto old = before.find(cell);
    if (old != before.end())
      CUTAWAY_CHECK(gate.compare(cell, old->second, side));
    else
      gate.note(fmt::format("{}, {}, {} is new: the baseline does not have it", cell.model, cell.configuration,
                            measureName(cell.measure)));
  }
  for (const auto& [cell, side] : before) {
    if (!now.contains(cell))
      gate.note(fmt::format("{}, {}, {} is in the baseline and has no result now", cell.model, cell.configuration,
                            measureName(cell.measure)));
  }
  GateReport report = gate.take();
  report.baselineProgram = baseline.empty() ? "" : baseline.front().program;
  report.program = current.empty() ? "" : current.front().program;
  return report;
}

}  // namespace cutaway::sweep
