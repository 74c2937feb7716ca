#include "ui/panels/cure/cure_tables.h"

#include <QCoreApplication>

#include "ui/base/format.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::CureTables)
};

QString share(const CureFigures& figures) {
  return Words::tr("%1 of %2").arg(countText(figures.taken), countText(figures.nodes));
}

QString change(int64_t before, int64_t after) {
  return before == after ? countText(after) : QStringLiteral("%1 \u2192 %2").arg(countText(before), countText(after));
}

}  // namespace

QString proofWords(const CureProof& proof) {
  if (!proof.ran) return Words::tr("not compared: %1").arg(told(proof.note));
  if (!proof.agrees) return Words::tr("differ: %1").arg(told(proof.note));
  if (proof.maxAbsolute == 0) return Words::tr("the same");
  return Words::tr("within tolerance, at most %1 apart").arg(proof.maxAbsolute, 0, 'g', 3);
}

QString cureSentence(const CureReport& report) {
  QString words = Words::tr("%1 claims %2 nodes.").arg(text(report.provider), share(report.before));
  if (report.before.left() == 0) return words + QLatin1Char(' ') + Words::tr("There is nothing to cure.");
  if (report.proposals.empty())
    return words + QLatin1Char(' ') +
           Words::tr("No change was found that frees a node; asked about: %1.").arg(report.attempts.size());
  if (report.steps.empty()) return words + QLatin1Char(' ') + Words::tr("No proposal keeps the results.");
  const QString after =
      Words::tr("%1 nodes, groups %2").arg(share(report.after), change(report.before.groups, report.after.groups));
  words += QLatin1Char(' ');
  if (report.steps.size() == 1)
    words += Words::tr("With %1: %2.").arg(text(report.steps.front().title), after);
  else
    words += Words::tr("With %1 changes on top of each other: %2.").arg(report.steps.size()).arg(after);
  if (report.compiled && report.afterCompile.taken < report.after.taken)
    words += QLatin1Char(' ') + Words::tr("Compiled are %1.").arg(share(report.afterCompile));
  return words;
}

ReportRows cureRows(const std::shared_ptr<const study::Cure>& cure) {
  if (!cure) return {};
  using Proposals = ColumnOf<CureProposal>;
  return rowsOf<CureProposal>(
      partOf(cure, cure->report.proposals),
      {{.title = Words::tr("Change"),
        .text =
            [](const CureProposal& each) {
              return each.assumed ? Words::tr("%1 (size assumed)").arg(text(each.title)) : text(each.title);
            }},
       Proposals{.title = Words::tr("Nodes"),
                 .kind = Column::kNumber,
                 .help = Words::tr("That the provider takes, as it answered: before and after"),
                 .text =
                     [](const CureProposal& each) {
                       return QStringLiteral("%1 \u2192 %2").arg(share(each.before), share(each.after));
                     },
                 .key = [](const CureProposal& each) { return each.after.taken; }},
       Proposals{.title = Words::tr("Gained"),
                 .kind = Column::kNumber,
                 .help = Words::tr("How many fewer nodes are left to other providers"),
                 .text = [](const CureProposal& each) { return countText(each.nodesGained()); },
                 .key = [](const CureProposal& each) { return each.nodesGained(); }},
       Proposals{.title = Words::tr("Operations"),
                 .kind = Column::kNumber,
                 .help = Words::tr("That the provider does now and did not do before, of nodes whose sizes are known"),
                 .text = [](const CureProposal& each) { return workText(each.flopsGained()); },
                 .key = [](const CureProposal& each) { return each.flopsGained(); }},
       Proposals{.title = Words::tr("Groups"),
                 .kind = Column::kNumber,
                 .text = [](const CureProposal& each) { return change(each.before.groups, each.after.groups); },
                 .key = [](const CureProposal& each) { return each.after.groups; }},
       Proposals{.title = Words::tr("Copies"),
                 .kind = Column::kNumber,
                 .text = [](const CureProposal& each) { return change(each.before.copies, each.after.copies); },
                 .key = [](const CureProposal& each) { return each.after.copies; }},
       Proposals{.title = Words::tr("Results"),
                 .help = Words::tr("Original and changed model on the same random inputs, on the CPU"),
                 .text = [](const CureProposal& each) { return proofWords(each.proof); }},
       Proposals{.title = Words::tr("But"), .text = [](const CureProposal& each) { return told(each.consequence); }}});
}

}  // namespace cutaway::ui
