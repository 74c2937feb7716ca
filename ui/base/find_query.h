#pragma once
// What the find bar and the filter lines understand: words that must all be there, in any order; "quotes" keep a phrase together.
//
// Thread rule: immutable after parse.
// Example: FindQuery::parse("conv \"layer 1\"").matches(haystack)

#include <QString>
#include <QStringList>

namespace cutaway::ui {

class FindQuery {
 public:
  static FindQuery parse(const QString& line);

  bool empty() const { return m_terms.isEmpty(); }
  const QStringList& terms() const { return m_terms; }
  // Every term occurs in the text, ignoring case. An empty query matches everything.
  bool matches(const QString& haystack) const;

 private:
  QStringList m_terms;
};

}  // namespace cutaway::ui
