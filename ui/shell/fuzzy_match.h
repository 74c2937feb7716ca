#pragma once
// How well a text fits what was typed: every letter in its order, better at the beginnings of words and in runs.
//
// Thread rule: pure. Example: fuzzyMatch("fgr", "Fit the graph")->score; fuzzyMatch("theme dark", "Theme:
// Dark")->letters
//
// The way of scoring is that of the usual fuzzy finders (fzf's documentation names the idea): a run counts more than
// scattered letters, the start of a word more than its inside.

#include <optional>
#include <vector>

#include <QString>

namespace cutaway::ui {

struct FuzzyMatch {
  int score = 0;             // higher fits better
  std::vector<int> letters;  // places in the text that were hit, ascending
};

// Words of the pattern, divided by spaces, must all fit; an empty pattern fits everything with score 0.
std::optional<FuzzyMatch> fuzzyMatch(const QString& pattern, const QString& text);

}  // namespace cutaway::ui
