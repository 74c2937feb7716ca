#include "ui/base/formula_words.h"

#include <QObject>
#include <QStringList>

#include "engine/base/quote.h"
#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

constexpr qsizetype kMostHead = 32;  // characters
constexpr int kMostName = 20;

// Products are written with x in the engine's texts.
QString withSigns(const std::string& words) {
  return text(words).replace(QLatin1String(" x "), QStringLiteral(" \u00d7 "));
}

auto writer(QString (*write)(int64_t)) {
  return [write](int64_t number) { return write(number).toStdString(); };
}

}  // namespace

QString formulaWords(const CostFormula& formula, const std::set<std::string>& free, QString (*write)(int64_t)) {
  return withSigns(formulaText(formula, free, writer(write)));
}

QString boundsWords(const std::vector<CostFormula>& bounds, const std::set<std::string>& free,
                    QString (*write)(int64_t)) {
  QStringList words;
  for (const CostFormula& bound : bounds)
    words << formulaWords(bound, free, write);
  const QString all = words.join(QStringLiteral("; "));
  return bounds.size() > 1 ? QObject::tr("the largest of %1").arg(all) : all;
}

QString multiplesWords(const std::map<std::string, int64_t>& multiples) {
  std::map<int64_t, QStringList> dims;
  for (const auto& [name, size] : multiples)
    dims[size] << text(identifierOrQuoted(name));
  QStringList parts;
  for (const auto& [size, names] : dims)
    parts << QObject::tr("%1 in multiples of %2").arg(names.join(QStringLiteral(", "))).arg(size);
  return parts.join(QStringLiteral("; "));
}

QString conditionWords(const std::map<std::string, int64_t>& multiples) {
  return multiples.empty() ? QString() : QStringLiteral(" (%1)").arg(multiplesWords(multiples));
}

QString formulaHeadWords(const CostFormula& formula, QString (*write)(int64_t)) {
  const QString head = withSigns(formulaHead(formula, writer(write)));
  const QString times = QStringLiteral(" \u00d7 ");
  const QStringList factors = head.split(times);
  if (head.size() <= kMostHead || factors.size() < 2) return head;
  if (factors.size() == 2) return factors.first() + times + shortened(factors.last(), kMostName);
  const QString rest = head.endsWith(QLatin1String("...")) ? QStringLiteral(" + ...") : QString();
  return factors.first() + times + QObject::tr("%1 dims").arg(factors.size() - 1) + rest;
}

}  // namespace cutaway::ui
