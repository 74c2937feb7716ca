// The term under the cursor, and what it could become.
#include "ui/canvas/find_completion.h"

namespace cutaway::ui {
namespace {

constexpr int kMostOptions = 40;

const QStringList* valuesOf(FindField field, const FindVocabulary& words, const QStringList& providers) {
  switch (field) {
    case FindField::kOperator:
      return &words.operators;
    case FindField::kDomain:
      return &words.domains;
    case FindField::kType:
      return &words.types;
    case FindField::kAttribute:
      return &words.attributes;
    case FindField::kProvider:
      return &providers;
    default:
      return nullptr;
  }
}

}  // namespace

FindCompletions completionsAt(const QString& line, int cursor, const FindVocabulary& words,
                              const QStringList& providers) {
  FindCompletions all{cursor, cursor, {}};
  while (all.from > 0 && !line[all.from - 1].isSpace())
    --all.from;
  QString term = line.mid(all.from, cursor - all.from);
  if (term.startsWith(QLatin1Char('-'))) term.remove(0, 1), ++all.from;
  if (term.isEmpty() || term.contains(QLatin1Char('"')) || term.startsWith(QLatin1Char('/'))) return all;
  const auto offer = [&](const QString& option) {
    if (all.options.size() < kMostOptions && option.compare(term, Qt::CaseInsensitive) != 0) all.options << option;
  };
  const qsizetype colon = term.indexOf(QLatin1Char(':'));
  if (colon > 0) {
    const FindFieldRow* row = findField(QStringView(term).left(colon));
    const QStringList* values = row ? valuesOf(row->field, words, providers) : nullptr;
    const QString typed = term.mid(colon + 1);
    if (values)
      for (const QString& value : *values)
        if (value.startsWith(typed, Qt::CaseInsensitive)) offer(term.left(colon + 1) + value);
    return all;
  }
  for (const FindFieldRow& row : findFields())
    if (QLatin1String(row.name).startsWith(term, Qt::CaseInsensitive))
      offer(QLatin1String(row.name) + QLatin1Char(row.isNumber() ? '>' : ':'));
  if (term.size() >= 2)
    for (const QString& op : words.operators)
      if (op.startsWith(term, Qt::CaseInsensitive)) offer(QStringLiteral("op:") + op);
  return all;
}

}  // namespace cutaway::ui
