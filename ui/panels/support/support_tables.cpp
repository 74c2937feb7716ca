#include "ui/panels/support/support_tables.h"

#include <algorithm>

#include <QCoreApplication>

#include "ui/base/format.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::SupportTables)
};

QString dash() {
  return QStringLiteral("\u2013");
}

double shareOf(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

// Whose answer it is: hardware that is not here is answered for by a profile or a simulator.
QString whereText(const SupportRow& row) {
  if (!row.usable) return Words::tr("no answer");
  if (row.simulated) return Words::tr("simulated");
  return row.runsHere ? Words::tr("here") : Words::tr("answers, cannot run here");
}

QString nodesText(const SupportRow& row) {
  if (!row.usable) return dash();
  return Words::tr("%1 of %2").arg(countText(row.figures.taken), countText(row.figures.nodes));
}

QString operationsText(const SupportRow& row) {
  if (!row.usable || row.figures.flops == 0) return dash();
  const QString words = percentText(shareOf(row.figures.takenFlops, row.figures.flops));
  return row.figures.unsizedNodes > 0 ? Words::tr("%1 of the known").arg(words) : words;
}

QString refusalText(const std::pair<std::string, int64_t>& refusal) {
  return QStringLiteral("%1 \u00d7 %2").arg(countText(refusal.second), told(refusal.first));
}

QString refusalsText(const SupportRow& row, qsizetype most) {
  if (!row.usable) return told(row.problem);
  QStringList lines;
  for (const auto& refusal : row.refusals) {
    if (lines.size() == most) break;
    lines << refusalText(refusal);
  }
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

QString supportSentence(const SupportReport& report) {
  const SupportRow* most = nullptr;
  QStringList all;
  for (const SupportRow& row : report.rows) {
    if (!row.usable) continue;
    if (!most || row.figures.taken > most->figures.taken) most = &row;
    if (row.figures.left() == 0) all << text(row.title);
  }
  if (!most) return Words::tr("No provider gave an answer.");
  if (!all.isEmpty()) return Words::tr("All nodes are taken by: %1.").arg(all.join(QStringLiteral(", ")));
  return Words::tr("%1 takes most: %2 nodes. None takes all.").arg(text(most->title), nodesText(*most));
}

ReportRows supportRows(const std::shared_ptr<const SupportReport>& report) {
  if (!report) return {};
  using Rows = ColumnOf<SupportRow>;
  constexpr qsizetype kInTip = 12;
  const auto count = [](const QString& title, int64_t CureFigures::* figure) {
    return Rows{
        .title = title,
        .kind = Rows::kNumber,
        .text = [figure](const SupportRow& row) { return row.usable ? countText(row.figures.*figure) : dash(); },
        .key = [figure](const SupportRow& row) { return row.usable ? row.figures.*figure : -1; }};
  };
  const auto takenShare = [](const SupportRow& row) -> std::optional<double> {
    if (!row.usable) return std::nullopt;
    return shareOf(row.figures.taken, row.figures.nodes);
  };
  return rowsOf<SupportRow>(
      partOf(report, report->rows),
      {{.title = Words::tr("Provider"), .text = [](const SupportRow& row) { return text(row.provider); }},
       Rows{.title = Words::tr("Hardware"), .text = whereText},
       Rows{.title = Words::tr("Nodes"),
            .kind = Rows::kNumber,
            .help = Words::tr("That it takes when it is asked alone, before the provider that takes the rest"),
            .text = nodesText,
            .key = [](const SupportRow& row) { return row.usable ? row.figures.taken : -1; },
            .share = takenShare},
       Rows{.title = Words::tr("Operations"),
            .kind = Rows::kNumber,
            .help = Words::tr("Its share of the FLOPs of nodes whose sizes are known"),
            .text = operationsText,
            .key =
                [](const SupportRow& row) {
                  return row.usable ? shareOf(row.figures.takenFlops, row.figures.flops) : -1;
                }},
       count(Words::tr("Groups"), &CureFigures::groups),
       count(Words::tr("Copies"), &CureFigures::copies),
       Rows{.title = Words::tr("Most frequent refusal"),
            .text = [](const SupportRow& row) { return refusalsText(row, 1); },
            .toolTip = [](const SupportRow& row) { return refusalsText(row, kInTip); }}});
}

}  // namespace cutaway::ui
