#pragma once
// Files that look like traces or like a device tool's list of layers, by their ending.
//
// Example: if (isTraceName(path)) document->profiles().showTrace(path);

#include <QString>

namespace cutaway::ui {

inline bool isTraceName(const QString& path) {
  return path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) ||
         path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive);
}

}  // namespace cutaway::ui
