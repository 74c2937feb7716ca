#include "ui/base/find_query.h"

#include <algorithm>

namespace cutaway::ui {

FindQuery FindQuery::parse(const QString& line) {
  FindQuery query;
  QString term;
  bool quoted = false;
  const auto flush = [&] {
    if (!term.isEmpty()) query.m_terms << term;
    term.clear();
  };
  for (const QChar c : line) {
    if (c == QLatin1Char('"')) {
      flush();
      quoted = !quoted;
    } else if (c.isSpace() && !quoted) {
      flush();
    } else {
      term += c;
    }
  }
  flush();
  return query;
}

bool FindQuery::matches(const QString& haystack) const {
  return std::all_of(m_terms.begin(), m_terms.end(), [&](const QString& term) { return haystack.contains(term, Qt::CaseInsensitive); });
}

}  // namespace cutaway::ui
