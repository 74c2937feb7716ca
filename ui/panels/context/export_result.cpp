// Files, sums and the comparison with the original.
#include "ui/panels/context/export_result.h"

#include <algorithm>

#include <QFileInfo>
#include <QObject>

#include "ui/base/format.h"
#include "ui/document/window_words.h"
#include "ui/panels/page_writer.h"

namespace cutaway::ui {
namespace {

constexpr size_t kMostOutputs = 24;
// What is measured once (being ready, the first run) and is over sooner than this says more about what else the machine
// does: no ratio is told.
constexpr int64_t kTooShortNs = 100'000'000;
QString tr(const char* words) {
  return QObject::tr(words);
}

QString timesText(double ratio) {
  return QStringLiteral("%1\u00d7").arg(ratio, 0, 'f', ratio >= 10 ? 0 : 1);
}

// "34× faster", "1.2× slower", "as fast".
QString speedText(int64_t before, int64_t after) {
  if (before <= 0 || after <= 0) return {};
  const double ratio = static_cast<double>(before) / static_cast<double>(after);
  if (ratio > 0.95 && ratio < 1.05) return tr("as fast");
  return ratio >= 1 ? tr("%1 faster").arg(timesText(ratio)) : tr("%1 slower").arg(timesText(1 / ratio));
}

bool tooShort(int64_t before, int64_t after) {
  return std::max(before, after) < kTooShortNs;
}

void writeFiles(PageWriter& page, const ContextWritten& written) {
  page.section(tr("Files"));
  int64_t total = 0;
  for (const ContextFile& file : written.files) {
    total += file.sizeBytes;
    const QFileInfo info(text(file.path));
    page.row(text(file.what),
             QStringLiteral("%1 &nbsp;%2").arg(info.fileName().toHtmlEscaped(), sizeText(file.sizeBytes)));
  }
  page.text(tr("all together"),
            written.weightBytes > 0
                ? tr("%1; the model's weights have %2").arg(sizeText(total), sizeText(written.weightBytes))
                : sizeText(total));
  if (written.sharedBytes > 0)
    page.text(tr("shared"), tr("%1 are kept once instead of several times").arg(sizeText(written.sharedBytes)));
  page.text(tr("nodes"),
            tr("%1 compiled, %2 unchanged").arg(countText(written.contextNodes), countText(written.otherNodes)));
  page.text(tr("took"), timeText(written.timeNs));
  for (const std::string& warning : written.warnings)
    page.verdict(tr("note"), PageWriter::kCareful, QStringLiteral("!"), tr("warning"), told(warning));
}

void writeOutputs(PageWriter& page, const ContextVerification& seen) {
  const auto same = std::count_if(seen.outputs.begin(), seen.outputs.end(),
                                  [](const ContextOutputDifference& output) { return output.sameBits; });
  const QString counted = tr("%1 of %2 outputs").arg(same).arg(seen.outputs.size());
  page.verdict(tr("outputs"), seen.sameOutputs ? PageWriter::kGood : PageWriter::kBad,
               seen.sameOutputs ? QStringLiteral("\u2713") : QStringLiteral("\u2715"),
               seen.sameOutputs ? tr("bit-identical") : tr("differ"), counted);
  size_t listed = 0;
  for (const ContextOutputDifference& output : seen.outputs) {
    if (output.sameBits || ++listed > kMostOutputs) continue;
    page.text(text(output.name), output.problem.empty() ? tr("differs by up to %1").arg(output.maximumError, 0, 'g', 3)
                                                        : told(output.problem));
  }
}

// Two bars to one scale, and in words what that means.
void writeBars(PageWriter& page, const QString& title, int64_t original, int64_t context, const QString& originalWords,
               const QString& contextWords, bool isTold) {
  if (original <= 0 || context <= 0) return;
  const double longest = static_cast<double>(std::max(original, context));
  page.section(title);
  page.bar(originalWords, static_cast<double>(original) / longest, false, timeText(original));
  page.bar(contextWords, static_cast<double>(context) / longest, true,
           isTold ? QStringLiteral("%1, %2").arg(timeText(context), speedText(original, context)) : timeText(context));
}

void writeVerification(PageWriter& page, const ContextVerification& seen, const std::vector<std::string>& simulated) {
  page.section(tr("Loaded again"));
  page.verdict(tr("reloads"), seen.loads ? PageWriter::kGood : PageWriter::kBad,
               seen.loads ? QStringLiteral("\u2713") : QStringLiteral("\u2715"), seen.loads ? tr("yes") : tr("no"),
               told(seen.problem));
  if (!seen.loads) return;
  writeOutputs(page, seen);
  // Above the times, so that nobody sees them without it.
  QStringList names;
  for (const std::string& name : simulated)
    names << text(name);
  if (!names.isEmpty())
    page.text(tr("simulated"),
              tr("%1: these times say nothing about its hardware").arg(names.join(QStringLiteral(", "))));
  const auto isTold = [&](int64_t original, int64_t context) {
    return simulated.empty() && !tooShort(original, context);
  };
  writeBars(page, tr("Ready to run after"), seen.compileNs, seen.loadNs, tr("compiling"), tr("loading"),
            isTold(seen.compileNs, seen.loadNs));
  writeBars(page, tr("First run"), seen.firstRunOriginalNs, seen.firstRunContextNs, tr("compiled here"), tr("loaded"),
            isTold(seen.firstRunOriginalNs, seen.firstRunContextNs));
  // The groups are the same, so that what sets them apart is noise: no ratio is told.
  writeBars(page, tr("Later runs, by the same groups"), seen.runOriginalNs, seen.runContextNs, tr("compiled here"),
            tr("loaded"), false);
}

}  // namespace

QString exportResultPage(const ContextWritten& written, const ContextVerification* seen, const Theme& theme,
                         const std::vector<std::string>& simulated) {
  PageWriter page(theme);
  if (seen) writeVerification(page, *seen, simulated);
  writeFiles(page, written);
  return page.finish();
}

QString verificationSentence(const ContextVerification& seen, bool isSimulated) {
  if (!seen.loads) return tr("It does not load: %1").arg(told(seen.problem));
  if (!seen.problem.empty()) return tr("It loads, but: %1").arg(told(seen.problem));
  const QString speed = speedText(seen.compileNs, seen.loadNs);
  QString ready;
  if (!speed.isEmpty() && !isSimulated)
    ready = tooShort(seen.compileNs, seen.loadNs) ? tr("; both are ready within 100 ms")
                                                  : tr(", ready to run %1").arg(speed);
  return (seen.sameOutputs ? tr("It reloads and is bit-identical%1.") : tr("It loads, but its outputs differ%1."))
      .arg(ready);
}

}  // namespace cutaway::ui
