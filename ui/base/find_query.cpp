// From the line to terms: cut at blanks outside quotes, slashes and brackets, then each part read as word, phrase,
// regular expression or field.
#include "ui/base/find_query.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>

namespace cutaway::ui {
namespace {

QString tr(const char* words) {
  return QCoreApplication::translate("FindQuery", words);
}

struct Part {
  QString text;  // as typed, with quotes
  int at = 0;
};

// Slashes begin a regular expression only where a term begins, because names are full of them.
std::vector<Part> cut(const QString& line) {
  std::vector<Part> parts;
  int i = 0;
  const int end = static_cast<int>(line.size());
  while (i < end) {
    while (i < end && line[i].isSpace())
      ++i;
    if (i >= end) break;
    const int start = i;
    int body = i;
    if (line[body] == QLatin1Char('-')) ++body;
    if (body < end && line[body] == QLatin1Char('/')) {
      // A path such as /layer1/conv is no expression: one ends with a slash before a blank or the end.
      int close = body + 1;
      while (close < end && !(line[close] == QLatin1Char('/') && line[close - 1] != QLatin1Char('\\') &&
                              (close + 1 == end || line[close + 1].isSpace())))
        ++close;
      if (close < end && close > body + 1) {
        parts.push_back({line.mid(start, close + 1 - start), start});
        i = close + 1;
        continue;
      }
    }
    bool quoted = false;
    int brackets = 0;
    for (; i < end; ++i) {
      const QChar c = line[i];
      if (c == QLatin1Char('"')) quoted = !quoted;
      if (quoted) continue;
      if (c == QLatin1Char('[')) ++brackets;
      if (c == QLatin1Char(']') && brackets > 0) --brackets;
      if (c.isSpace() && brackets == 0) break;
    }
    parts.push_back({line.mid(start, i - start), start});
  }
  return parts;
}

std::shared_ptr<const QRegularExpression> wildcard(const QString& text) {
  QString pattern = QRegularExpression::escape(text);
  pattern.replace(QStringLiteral("\\*"), QStringLiteral(".*"));
  return std::make_shared<const QRegularExpression>(
      QStringLiteral("\\A(?:%1)\\z").arg(pattern),
      QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption);
}

class TermReader {
 public:
  TermReader(const Part& part, std::optional<FindProblem>& problem) : m_part(part), m_problem(problem) {}

  std::optional<FindTerm> read() {
    QString text = m_part.text;
    m_term.at = m_part.at;
    m_term.length = static_cast<int>(text.size());
    if (text.size() > 1 && text.startsWith(QLatin1Char('-'))) m_term.negated = true, text.remove(0, 1);
    if (text.size() > 2 && text.startsWith(QLatin1Char('/')) && text.endsWith(QLatin1Char('/')))
      return readPattern(text.mid(1, text.size() - 2));
    if (!text.startsWith(QLatin1Char('"'))) {
      qsizetype mark = 0;
      while (mark < text.size() && text[mark].isLetter())
        ++mark;
      if (mark > 0 && mark < text.size() && QStringLiteral(":=<>!").contains(text[mark])) {
        if (const FindFieldRow* row = findField(QStringView(text).left(mark))) return readField(*row, text.mid(mark));
        if (text[mark] == QLatin1Char(':') && mark + 1 < text.size() && !text[mark + 1].isDigit() &&
            text[mark + 1] != QLatin1Char(':') && text[mark + 1] != QLatin1Char('/'))
          return complain(tr("There is no field \u201c%1\u201d. Put the word in quotes to look for it as it stands.")
                              .arg(text.left(mark)));
      }
    }
    return readWord(text);
  }

 private:
  std::nullopt_t complain(const QString& text) {
    if (!m_problem) m_problem = FindProblem{text, m_part.at, static_cast<int>(m_part.text.size())};
    return std::nullopt;
  }

  std::optional<FindTerm> readWord(QString text) {
    const bool phrase = text.contains(QLatin1Char('"'));
    text.remove(QLatin1Char('"'));
    if (text.isEmpty()) return std::nullopt;
    m_term.text = lowered(text.toStdString());
    if (!phrase && text.size() > 1 && text.contains(QLatin1Char('*'))) {
      // Words with wildcards are found anywhere in a line of what is searched.
      QString pattern = QRegularExpression::escape(text);
      pattern.replace(QStringLiteral("\\*"), QStringLiteral("[^\\n]*"));
      m_term.pattern = std::make_shared<const QRegularExpression>(pattern, QRegularExpression::CaseInsensitiveOption);
    }
    return m_term;
  }

  std::optional<FindTerm> readPattern(const QString& text) {
    auto pattern = std::make_shared<QRegularExpression>(text, QRegularExpression::CaseInsensitiveOption |
                                                                  QRegularExpression::MultilineOption |
                                                                  QRegularExpression::UseUnicodePropertiesOption);
    if (!pattern->isValid())
      return complain(tr("The expression is not complete: %1, at character %2.")
                          .arg(pattern->errorString())
                          .arg(pattern->patternErrorOffset() + 1));
    m_term.text = lowered(text.toStdString());
    m_term.pattern = std::move(pattern);
    return m_term;
  }

  std::optional<FindTerm> readField(const FindFieldRow& row, const QString& rest) {
    m_term.field = row.field;
    static const std::pair<const char*, FindRelation> kSigns[] = {
        {">=", FindRelation::kAtLeast}, {"<=", FindRelation::kAtMost}, {"!=", FindRelation::kDiffers},
        {":=", FindRelation::kEquals},  {">", FindRelation::kMore},    {"<", FindRelation::kLess},
        {"=", FindRelation::kEquals},   {":", FindRelation::kContains}};
    for (const auto& [sign, relation] : kSigns) {
      if (!rest.startsWith(QLatin1String(sign))) continue;
      m_term.relation = relation;
      QString value = rest.mid(static_cast<qsizetype>(qstrlen(sign)));
      // "time:>1ms" is meant as "time>1ms".
      if (relation == FindRelation::kContains && !value.isEmpty() && QStringLiteral("<>=").contains(value[0]))
        return readField(row, value);
      if (value.isEmpty()) return std::nullopt;  // still being typed
      return row.isNumber() ? readNumber(row, value) : readText(row, value);
    }
    return complain(tr("After \u201c%1\u201d comes :, =, < or >.").arg(QLatin1String(row.name)));
  }

  std::optional<FindTerm> readNumber(const FindFieldRow& row, const QString& value) {
    if (const qsizetype dots = value.indexOf(QStringLiteral("..")); dots > 0) {
      const auto low = numberWithUnit(QStringView(value).left(dots), row.unit),
                 high = numberWithUnit(QStringView(value).mid(dots + 2), row.unit);
      if (!low || !high) return value.size() == dots + 2 ? std::nullopt : complain(notANumber(row, value));
      m_term.relation = FindRelation::kBetween;
      m_term.low = *low;
      m_term.high = *high;
      return m_term;
    }
    const auto number = numberWithUnit(value, row.unit);
    if (!number) return complain(notANumber(row, value));
    if (m_term.relation == FindRelation::kContains) m_term.relation = FindRelation::kEquals;
    m_term.low = m_term.high = *number;
    return m_term;
  }

  static QString notANumber(const FindFieldRow& row, const QString& value) {
    return tr("\u201c%1\u201d is not a number for %2; units are %3.")
        .arg(value, QLatin1String(row.name), unitWords(row.unit));
  }

  std::optional<FindTerm> readText(const FindFieldRow& row, QString value) {
    if (m_term.relation != FindRelation::kContains && m_term.relation != FindRelation::kEquals &&
        m_term.relation != FindRelation::kDiffers)
      return complain(tr("\u201c%1\u201d is text: it takes :, = or !=.").arg(QLatin1String(row.name)));
    if (value.size() > 2 && value.startsWith(QLatin1Char('/')) && value.endsWith(QLatin1Char('/')) &&
        row.field != FindField::kShape && row.field != FindField::kScope)
      return readPattern(value.mid(1, value.size() - 2));
    if (row.field == FindField::kShape) return readShape(value);
    if (row.field == FindField::kAttribute) {
      const qsizetype sign = value.indexOf(QLatin1Char('='));
      m_term.attribute = lowered(value.left(sign < 0 ? value.size() : sign).remove(QLatin1Char('"')).toStdString());
      if (m_term.attribute.empty()) return std::nullopt;
      value = sign < 0 ? QString() : value.mid(sign + 1);
      m_term.relation = sign < 0 ? FindRelation::kContains : FindRelation::kEquals;
    }
    const bool phrase = value.contains(QLatin1Char('"'));
    m_term.whole = phrase || m_term.relation != FindRelation::kContains;
    value.remove(QLatin1Char('"'));
    m_term.text = lowered(value.toStdString());
    if (row.field == FindField::kType) m_term.text = elementTypeAlias(m_term.text);
    if (!phrase && value.contains(QLatin1Char('*'))) m_term.pattern = wildcard(value), m_term.whole = true;
    return m_term;
  }

  std::optional<FindTerm> readShape(QString value) {
    value.remove(QLatin1Char('"')).remove(QLatin1Char(' '));
    const bool bracketed = value.startsWith(QLatin1Char('['));
    if (bracketed) value.remove(0, 1);
    if (value.endsWith(QLatin1Char(']'))) value.chop(1);
    if (!bracketed) value.replace(QChar(0x00d7), QLatin1Char('x'));
    const bool list =
        bracketed || value.contains(QLatin1Char(',')) || (value.contains(QLatin1Char('x')) && value[0].isDigit());
    if (!list) {  // one dimension, anywhere
      m_term.text = lowered(value.toStdString());
      return m_term;
    }
    for (const QString& dim : value.split(QLatin1Char(bracketed || value.contains(QLatin1Char(',')) ? ',' : 'x'))) {
      if (dim.isEmpty() && !value.isEmpty()) return std::nullopt;  // still being typed
      if (!value.isEmpty())
        m_term.dims.push_back(lowered((dim == QStringLiteral("?") ? QStringLiteral("*") : dim).toStdString()));
    }
    m_term.whole = true;
    return m_term;
  }

  const Part& m_part;
  std::optional<FindProblem>& m_problem;
  FindTerm m_term;
};

}  // namespace

FindQuery FindQuery::parse(const QString& line) {
  FindQuery query;
  query.m_line = line;
  bool joins = false;
  for (const Part& part : cut(line)) {
    if (part.text == QStringLiteral("OR") || part.text == QStringLiteral("|")) {
      joins = !query.m_clauses.empty();
      continue;
    }
    if (part.text == QStringLiteral("AND")) continue;
    std::optional<FindTerm> term = TermReader(part, query.m_problem).read();
    if (!term) continue;
    if (joins) {
      query.m_clauses.back().push_back(*std::move(term));
    } else {
      query.m_clauses.push_back({*std::move(term)});
    }
    joins = false;
  }
  if (query.m_problem) query.m_clauses.clear();
  return query;
}

bool FindQuery::matches(const QString& haystack) const {
  const auto holds = [&](const FindTerm& term) {
    bool found = false;
    if (term.field != FindField::kAny) {
      found = haystack.contains(
          QStringView(m_line).mid(term.at + (term.negated ? 1 : 0), term.length - (term.negated ? 1 : 0)),
          Qt::CaseInsensitive);
    } else if (term.pattern) {
      found = term.pattern->match(haystack).hasMatch();
    } else {
      found = haystack.contains(QString::fromStdString(term.text), Qt::CaseInsensitive);
    }
    return found != term.negated;
  };
  if (m_problem) {
    // A field of nodes that is not one, or half an expression: the words as they stand.
    for (const QString& word : m_line.split(QLatin1Char(' '), Qt::SkipEmptyParts))
      if (!haystack.contains(word, Qt::CaseInsensitive)) return false;
    return true;
  }
  return std::all_of(m_clauses.begin(), m_clauses.end(), [&](const std::vector<FindTerm>& clause) {
    return std::any_of(clause.begin(), clause.end(), holds);
  });
}

namespace {
constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
}  // namespace

std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

bool equalsLowered(std::string_view text, std::string_view lowerText) {
  return text.size() == lowerText.size() &&
         std::equal(text.begin(), text.end(), lowerText.begin(), [](char a, char b) { return lower(a) == b; });
}

bool containsLowered(std::string_view haystack, std::string_view needle) {
  if (needle.empty()) return true;
  if (haystack.size() < needle.size()) return false;
  const size_t last = haystack.size() - needle.size();
  for (size_t i = 0; i <= last; ++i)
    if (lower(haystack[i]) == needle[0] && equalsLowered(haystack.substr(i, needle.size()), needle)) return true;
  return false;
}

}  // namespace cutaway::ui
