#pragma once
// The query language of the find bar, of filter lines, style rules and the table of nodes.
//
//   conv 64x3            both words occur, in any order            "layer 1"        this phrase
//   /conv[12]$/          a regular expression                      -relu            not this
//   op:Conv OR op:Gemm   one of the two                            name:block*      a field, * stands for anything
//   time>1ms step<40 memory>=2MB params>1e6 step:10..20            comparisons, with units
//   shape:[1,3,*,*]  attr:pads=1  type:float16  scope:encoder/     what values and attributes are
//
// Terms are ANDed; OR joins the terms beside it and binds closer. Upper and lower case are the same. Words with a colon
// that name no field and look like names ("conv:0") are words. Thread rule: immutable after parse. Example: const
// FindQuery query = FindQuery::parse("op:Conv time>1ms");  if (query.problem()) say(query.problem()->text);

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include "ui/base/find_fields.h"

namespace cutaway::ui {

enum class FindRelation { kContains, kEquals, kDiffers, kLess, kAtMost, kMore, kAtLeast, kBetween };

struct FindTerm {
  bool negated = false;
  FindField field = FindField::kAny;
  FindRelation relation = FindRelation::kContains;
  std::string text;    // lower case; of wildcards the pattern
  bool whole = false;  // quoted behind a field, or with wildcards: the whole value must be this
  std::shared_ptr<const QRegularExpression> pattern;  // of /regex/ and of wildcards
  double low = 0, high = 0;                           // of numbers: low; of ranges both, inclusive
  std::string attribute;                              // of attr: its name, lower case
  std::vector<std::string> dims;  // of shape:[...]: lower case, "*" any one, "..." any number of them
  int at = 0, length = 0;         // in the line
};

// Why a query cannot be used, and which part of the line is meant.
struct FindProblem {
  QString text;
  int at = 0, length = 0;
};

class FindQuery {
 public:
  static FindQuery parse(const QString& line);

  bool empty() const { return m_clauses.empty(); }  // also when it has a problem
  // Every clause must hold; a clause holds when one of its terms does.
  const std::vector<std::vector<FindTerm>>& clauses() const { return m_clauses; }
  const std::optional<FindProblem>& problem() const { return m_problem; }
  const QString& line() const { return m_line; }
  // For tables that are not about nodes: the terms occur in the text, ignoring case; fields are words like others. An
  // empty query matches everything.
  bool matches(const QString& haystack) const;

 private:
  QString m_line;
  std::vector<std::vector<FindTerm>> m_clauses;
  std::optional<FindProblem> m_problem;
};

// ASCII letters in lower case; others stay.
std::string lowered(std::string_view text);
bool containsLowered(std::string_view haystack, std::string_view lowerNeedle);
bool equalsLowered(std::string_view text, std::string_view lowerText);

}  // namespace cutaway::ui
