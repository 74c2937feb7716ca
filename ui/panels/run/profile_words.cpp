#include "ui/panels/run/profile_words.h"

#include <cmath>

#include <QObject>

#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

QString tr(const char* words) {
  return QObject::tr(words);
}
QString milliseconds(double ms) {
  return timeText(static_cast<int64_t>(ms * 1e6));
}
double shareOf(const RunComparison& c) {
  return c.medianAMs > 0 ? (c.medianBMs - c.medianAMs) / c.medianAMs : 0;
}

}  // namespace

Change changeOf(const RunComparison& comparison) {
  return !comparison.significant                       ? Change::kNoise
         : comparison.medianBMs < comparison.medianAMs ? Change::kFaster
                                                       : Change::kSlower;
}

Change changeOf(const NodeTimeDifference& node) {
  if (node.nodeB < 0 && node.nodeA >= 0) return Change::kOnlyBefore;
  if (node.nodeA < 0 && node.nodeB >= 0) return Change::kOnlyNow;
  return !node.significant ? Change::kNoise : node.bNs < node.aNs ? Change::kFaster : Change::kSlower;
}

QString changeWord(Change change) {
  switch (change) {
    case Change::kNoise:
      return tr("within noise");
    case Change::kFaster:
      return tr("faster");
    case Change::kSlower:
      return tr("slower");
    case Change::kOnlyBefore:
      return tr("only in the baseline");
    case Change::kOnlyNow:
      return tr("only now");
  }
  return {};
}

QString probabilityText(double p) {
  return p < 0.001 ? tr("p < 0.001") : tr("p = %1").arg(QString::number(p, 'f', p < 0.1 ? 3 : 2));
}

QString signedTime(double ns) {
  if (std::abs(ns) < 1) return QStringLiteral("0");
  return (ns < 0 ? QStringLiteral("\u2212") : QStringLiteral("+")) + timeText(static_cast<int64_t>(std::abs(ns)));
}

QString signedPercent(double share) {
  return (share < 0 ? QStringLiteral("\u2212") : QStringLiteral("+")) + percentText(std::abs(share));
}

QString comparisonSentence(const RunComparison& comparison) {
  const double share = shareOf(comparison);
  switch (changeOf(comparison)) {
    case Change::kFaster:
      return tr("%1 faster than the baseline, significant").arg(percentText(-share));
    case Change::kSlower:
      return tr("%1 slower than the baseline, significant").arg(percentText(share));
    default:
      return tr("No difference beyond noise");
  }
}

QString comparisonDetail(const RunComparison& comparison) {
  QString words = tr("%1 now, %2 before (%3), %4")
                      .arg(milliseconds(comparison.medianBMs), milliseconds(comparison.medianAMs),
                           signedPercent(shareOf(comparison)), probabilityText(comparison.pValue));
  if (comparison.highMs > comparison.lowMs)
    words += tr("; the difference is between %1 and %2 with 95 % confidence")
                 .arg(signedTime(comparison.lowMs * 1e6), signedTime(comparison.highMs * 1e6));
  return words;
}

}  // namespace cutaway::ui
