#include "ui/base/truth_words.h"

#include <QCoreApplication>

#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::TruthWords)
};

// In the order of TruthKind.
constexpr const char* kKinds[] = {QT_TRANSLATE_NOOP("cutaway::ui::TruthWords", "exact"),
                                  QT_TRANSLATE_NOOP("cutaway::ui::TruthWords", "partial"),
                                  QT_TRANSLATE_NOOP("cutaway::ui::TruthWords", "assumed"),
                                  QT_TRANSLATE_NOOP("cutaway::ui::TruthWords", "estimated"),
                                  QT_TRANSLATE_NOOP("cutaway::ui::TruthWords", "simulated"),
                                  QT_TRANSLATE_NOOP("cutaway::ui::TruthWords", "measured")};

// What the engine says figures are based on; files and providers are named as they are.
[[maybe_unused]] constexpr const char* kBases[] = {
    QT_TRANSLATE_NOOP("cutaway::ui::TruthWords", "values"), QT_TRANSLATE_NOOP("cutaway::ui::TruthWords", "buffers"),
    QT_TRANSLATE_NOOP("cutaway::ui::TruthWords", "an arena played the plan's requests"),
    QT_TRANSLATE_NOOP("cutaway::ui::TruthWords",
                      "the critical path, by operations and bytes of nodes; steps are exact"),
    QT_TRANSLATE_NOOP("cutaway::ui::TruthWords",
                      "the critical path, every node counted alike because sizes are open; steps are exact")};

QString timeWords(double ms) {
  return text(millisecondsText(ms));
}

}  // namespace

QString truthKindWords(TruthKind kind) {
  return Words::tr(kKinds[static_cast<size_t>(kind)]);
}

QString spreadWords(const MeasuredTime& time) {
  if (time.runs == 1) return Words::tr("1 run");
  const QString runs = Words::tr("%1 runs").arg(countText(time.runs));
  if (time.highMs <= time.lowMs) return runs;
  return (time.runs < kLeastRunsFor95 ? Words::tr("%1, all between %2 and %3")
                                      : Words::tr("%1, median between %2 and %3"))
      .arg(runs, timeWords(time.lowMs), timeWords(time.highMs));
}

QString truthWords(const Truth& truth) {
  const QString basis = truth.basis.empty() ? QString() : Words::tr(truth.basis.c_str());
  const QString kind = truthKindWords(truth.kind);
  QString words = kind;
  switch (truth.kind) {
    case TruthKind::kExact:
      return words;
    case TruthKind::kPartial:
      return Words::tr("%1: %2 of %3 %4 have a size before running")
          .arg(kind, countText(truth.known), countText(truth.all), basis);
    case TruthKind::kAssumed:
      return QStringLiteral("%1: %2").arg(kind, text(dimsSentence(truth.dims)));
    case TruthKind::kEstimated:
      return QStringLiteral("%1: %2").arg(kind, basis);
    case TruthKind::kSimulated:
      words = Words::tr("%1: %2 is not here, CPU kernels or a simulator ran in its place").arg(kind, basis);
      break;
    case TruthKind::kMeasured:
      if (!truth.basis.empty()) words = Words::tr("%1 elsewhere: %2").arg(kind, basis);
      words += QStringLiteral(": ") +
               spreadWords({.runs = truth.runs, .medianMs = 0, .lowMs = truth.lowMs, .highMs = truth.highMs});
      break;
  }
  return truth.dims.empty() ? words : Words::tr("%1, at %2").arg(words, text(dimsSentence(truth.dims)));
}

}  // namespace cutaway::ui
