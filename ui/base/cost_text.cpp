#include "ui/base/cost_text.h"

#include <QObject>

#include "ui/base/format.h"

namespace cutaway::ui {

QString costText(int64_t cost, const std::string& unit) {
  if (unit == "ns") return timeText(cost);
  if (unit == "work") return workText(cost).remove(QLatin1String("FLOP")).trimmed();  // its digits and prefix
  return cost == 1 ? QObject::tr("1 node") : QObject::tr("%1 nodes").arg(countText(cost));
}

QString workHelp() {
  return QObject::tr("Estimated work, no FLOP count: the larger of a node's FLOP and 8 \u00d7 the bytes it moves");
}

}  // namespace cutaway::ui
