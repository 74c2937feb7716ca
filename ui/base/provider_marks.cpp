// Categories and letters of providers.
#include "ui/base/provider_marks.h"

#include <algorithm>

#include "ui/base/format.h"

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

ProviderMarks providerMarks(const WalkReport& walk, const WalkReport* other) {
  ProviderMarks marks{providerNames(walk), {}};
  if (other)
    for (const QString& name : providerNames(*other))
      if (std::find(marks.names.begin(), marks.names.end(), name) == marks.names.end()) marks.names.push_back(name);
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
