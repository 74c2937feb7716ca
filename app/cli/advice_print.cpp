#include "app/cli/advice_print.h"

#include <algorithm>

#include "app/cli/output.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"

namespace cutaway::cli {

namespace {

std::string figureText(AdviceMeasure measure, int64_t figure) {
  if (figure < 0) return "not known";
  return isBytes(measure) ? formatBytes(figure) : formatCount(figure);
}

std::string changeText(const AdviceFigure& figure) {
  return fmt::format("{} {} -> {}", adviceMeasureName(figure.measure), figureText(figure.measure, figure.before),
                     figureText(figure.measure, figure.after));
}

void printOne(size_t number, const Advice& advice) {
  put("\n{}. {}{}\n", number, advice.title, advice.assumed ? " (size assumed)" : "");
  put("   {}\n", advice.reason);
  for (const AdviceFigure& gain : advice.gains)
    put("   + {}{}\n", changeText(gain),
        gain.before > 0 ? fmt::format(" (-{:.0f} %)", 100.0 * static_cast<double>(gain.before - gain.after) /
                                                          static_cast<double>(gain.before))
                        : "");
  for (const AdviceFigure& cost : advice.costs)
    put("   - {}\n", changeText(cost));
  if (!advice.consequence.empty()) put("   but {}\n", advice.consequence);
  put("   {}{}\n", advice.proof, advice.simulated ? "; some hardware of the list is simulated" : "");
  if (!advice.settings.empty()) put("   settings: {}\n", advice.settings);
}

}  // namespace

void printAdvice(const AdviceReport& report, bool attempts) {
  put("{}\n", report.settings.empty() ? "settings: as they are by default" : "settings: " + report.settings);
  TextTable now({"figure", ">now"});
  for (const AdviceFigure& figure : report.figures)
    if (figure.before >= 0) now.add({adviceMeasureName(figure.measure), figureText(figure.measure, figure.before)});
  now.print();
  if (report.advice.empty())
    put("\nno advice: nothing that was tried makes a figure smaller ({} changes)\n", report.attempts.size());
  for (size_t i = 0; i < report.advice.size(); ++i)
    printOne(i + 1, report.advice[i]);
  if (attempts && !report.attempts.empty()) {
    TextTable table({"kind", "change", "outcome"});
    for (const AdviceAttempt& each : report.attempts)
      table.add({each.advisor, each.title, each.outcome});
    put("\ntried in vain\n");
    table.print(0, 96);
  }
  put("\n{} changes walked in {}{}\n", formatCount(report.walks), formatTime(report.timeNs),
      attempts || report.attempts.empty() ? ""
                                          : fmt::format("; {} gained nothing (--attempts)", report.attempts.size()));
  for (const std::string& warning : report.warnings)
    put("warning: {}\n", warning);
}

void printSupport(const SupportReport& report) {
  TextTable table({"provider", ">nodes", ">FLOPs", ">groups", ">copies", "most frequent refusal"});
  for (const SupportRow& row : report.rows) {
    const std::string name = row.provider + (row.simulated ? " (simulated)" : row.runsHere ? "" : " (not here)");
    if (!row.usable) {
      table.add({name, "-", "-", "-", "-", row.problem});
      continue;
    }
    const CureFigures& figures = row.figures;
    const double share =
        static_cast<double>(figures.takenFlops) / static_cast<double>(std::max<int64_t>(1, figures.flops));
    const std::string flops =
        figures.flops == 0 ? "-" : fmt::format("{:.0f} %{}", 100 * share, figures.unsizedNodes > 0 ? " of known" : "");
    table.add(
        {name, fmt::format("{} of {}", formatCount(figures.taken), formatCount(figures.nodes)), flops,
         formatCount(figures.groups), formatCount(figures.copies),
         row.refusals.empty() ? "" : fmt::format("{} x {}", row.refusals.front().second, row.refusals.front().first)});
  }
  table.print(0, 96);
  put("\neach alone before the provider that takes the rest; nothing was compiled or run ({})\n",
      formatTime(report.timeNs));
}

}  // namespace cutaway::cli
