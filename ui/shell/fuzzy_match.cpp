#include "ui/shell/fuzzy_match.h"

#include <algorithm>

#include <QStringList>

namespace cutaway::ui {
namespace {

constexpr int kLetter = 1;
constexpr int kWordStart = 8;
constexpr int kRun = 6;
constexpr int kTextStart = 4;

bool startsWord(const QString& text, int at) {
  if (at == 0) return true;
  const QChar before = text[at - 1], here = text[at];
  return !before.isLetterOrNumber() || (before.isLower() && here.isUpper());
}

int valueOf(const QString& text, int at, bool inRun) {
  return kLetter + (startsWord(text, at) ? kWordStart : 0) + (inRun ? kRun : 0) + (at == 0 ? kTextStart : 0);
}

// From one first letter on: the run goes on when it can, else the next beginning of a word is taken before any other
// place.
std::optional<FuzzyMatch> matchFrom(const QString& word, const QString& text, const QString& folded, int first) {
  FuzzyMatch match{.score = valueOf(text, first, false), .letters = {first}};
  for (int i = 1; i < word.size(); ++i) {
    const int after = match.letters.back() + 1;
    int at = -1;
    if (after < folded.size() && folded[after] == word[i]) {
      at = after;
    } else {
      for (int k = after; k < folded.size(); ++k) {
        if (folded[k] != word[i]) continue;
        if (at < 0) at = k;
        if (startsWord(text, k)) {
          at = k;
          break;
        }
      }
    }
    if (at < 0) return std::nullopt;
    match.score += valueOf(text, at, at == after);
    match.letters.push_back(at);
  }
  return match;
}

std::optional<FuzzyMatch> matchWord(const QString& word, const QString& text, const QString& folded) {
  std::optional<FuzzyMatch> best;
  for (int first = 0; first < folded.size(); ++first) {
    if (folded[first] != word[0]) continue;
    if (auto match = matchFrom(word, text, folded, first); match && (!best || match->score > best->score))
      best = std::move(match);
  }
  return best;
}

}  // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString& pattern, const QString& text) {
  FuzzyMatch all;
  const QString folded = text.toLower();
  if (folded.size() != text.size())
    return text.contains(pattern, Qt::CaseInsensitive) ? std::optional(all)
                                                       : std::nullopt;  // letters that fold into several
  for (const QString& word : pattern.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    const auto match = matchWord(word, text, folded);
    if (!match) return std::nullopt;
    all.score += match->score;
    all.letters.insert(all.letters.end(), match->letters.begin(), match->letters.end());
  }
  std::sort(all.letters.begin(), all.letters.end());
  all.letters.erase(std::unique(all.letters.begin(), all.letters.end()), all.letters.end());
  return all;
}

}  // namespace cutaway::ui
