#pragma once
// Which colour and letter stand for which provider, the same everywhere in the window and on both sides of a
// comparison.
//
// Thread rule: plain values, pure functions.
// Example: const ProviderMarks marks = providerMarks(*walk);  theme.category(marks.indexOf("cpu")),
// marks.letterOf("cpu")

#include <string_view>
#include <vector>

#include <QChar>
#include <QString>

#include "engine/report/walk_report.h"

namespace cutaway::ui {

struct ProviderMarks {
  std::vector<QString> names;  // by category, which follows from the name alone; those that nobody has are empty
  std::vector<QChar> letters;  // all different

  int indexOf(std::string_view provider) const;  // category; -1: no such provider, or nobody
  QChar letterOf(std::string_view provider) const;
};

// `other`: the walk it is compared with.
ProviderMarks providerMarks(const WalkReport& walk, const WalkReport* other = nullptr);

// Providers of a walk in order of priority.
std::vector<QString> providerNames(const WalkReport& walk);
// One letter each, all different, none for an empty name; of "declared(TensorRT)" the T.
std::vector<QChar> distinctLetters(const std::vector<QString>& names);

}  // namespace cutaway::ui
