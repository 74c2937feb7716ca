#pragma once
// What may stand where the cursor is in a query: fields, operators, types, attributes, providers.
//
// Thread rule: pure. Example: completionsAt("op:Co", 5, vocabulary).options == {"op:Conv", "op:ConvTranspose"}

#include <QString>
#include <QStringList>

#include "ui/canvas/find_index.h"

namespace cutaway::ui {

struct FindCompletions {
  int from = 0, to = 0;  // of the line, what an option replaces
  QStringList options;
};

FindCompletions completionsAt(const QString& line, int cursor, const FindVocabulary& words,
                              const QStringList& providers);

}  // namespace cutaway::ui
