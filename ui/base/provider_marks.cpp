// Categories and letters of providers.
#include "ui/base/provider_marks.h"

#include <algorithm>
#include <cstdint>

#include "ui/base/format.h"
#include "ui/base/theme.h"

namespace cutaway::ui {

int ProviderMarks::indexOf(std::string_view provider) const {
  if (provider.empty()) return -1;
  const auto found = std::find(names.begin(), names.end(), text(provider));
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

QChar ProviderMarks::letterOf(std::string_view provider) const {
  const int index = indexOf(provider);
  return index < 0 ? QChar() : letters[static_cast<size_t>(index)];
}

namespace {

constexpr size_t kPlaces = kCategoryCount - 1;  // as many as there are colours; the last is for what has none

// From the name alone, so that it stays the same from start to start (FNV-1a).
size_t wantedPlace(const QString& name) {
  uint32_t hash = 2166136261u;
  for (const char c : name.toUtf8())
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash % kPlaces;
}

// A taken one gives way to the next; where all are taken, to further ones, whose colours repeat.
void placeName(const QString& name, std::vector<QString>& names) {
  size_t place = wantedPlace(name);
  const auto isTaken = [&] { return place < names.size() && !names[place].isEmpty(); };
  for (size_t tried = 0; tried < kPlaces && isTaken(); ++tried)
    place = (place + 1) % kPlaces;
  while (isTaken())
    place = std::max(place + 1, kPlaces);
  if (place >= names.size()) names.resize(place + 1);
  names[place] = name;
}

}  // namespace

ProviderMarks providerMarks(const WalkReport& walk, const WalkReport* other) {
  std::vector<QString> names = providerNames(walk);
  if (other)
    for (const QString& name : providerNames(*other))
      names.push_back(name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  ProviderMarks marks;
  for (const QString& name : names)
    placeName(name, marks.names);
  marks.letters = distinctLetters(marks.names);
  return marks;
}

std::vector<QString> providerNames(const WalkReport& walk) {
  std::vector<QString> names;
  if (walk.partition)
    for (const ProviderSummary& provider : walk.partition->providers)
      names.push_back(text(provider.name));
  return names;
}

std::vector<QChar> distinctLetters(const std::vector<QString>& names) {
  std::vector<QChar> letters;
  const auto isTaken = [&](QChar letter) { return std::find(letters.begin(), letters.end(), letter) != letters.end(); };
  for (const QString& name : names) {
    QChar letter;
    if (name.isEmpty()) {
      letters.push_back(letter);
      continue;
    }
    const QString telling = name.mid(name.indexOf(QLatin1Char('(')) + 1) +
                            name;  // what stands in brackets tells more than what stands before them
    for (const QChar c : telling)
      if (c.isLetterOrNumber() && !isTaken(c.toUpper())) {
        letter = c.toUpper();
        break;
      }
    for (char c = '1'; letter.isNull() && c <= '9'; ++c)
      if (!isTaken(QLatin1Char(c))) letter = QLatin1Char(c);
    letters.push_back(letter);
  }
  return letters;
}

}  // namespace cutaway::ui
