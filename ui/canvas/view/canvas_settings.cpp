#include "ui/canvas/view/canvas_settings.h"

#include <QGuiApplication>

#include "ui/base/view_state.h"

namespace cutaway::ui {
namespace {
const QString kGrouping = QStringLiteral("canvas/grouping"), kDirection = QStringLiteral("canvas/direction"),
              kAttributes = QStringLiteral("canvas/showAttributes"), kWeights = QStringLiteral("canvas/showWeights"),
              kNames = QStringLiteral("canvas/showNames"), kLayout = QStringLiteral("canvas/layout"),
              kOpenGroups = QStringLiteral("canvas/openGroups");
}

CanvasSettings CanvasSettings::read(const ViewState& state) {
  CanvasSettings settings;
  settings.grouping = groupingFromId(state.get(kGrouping).toString().toStdString()).value_or(Grouping::kAutomatic);
  settings.direction =
      state.get(kDirection).toString() == QLatin1String("right") ? FlowDirection::kRight : FlowDirection::kDown;
  settings.contents.attributes = state.get(kAttributes, false).toBool();
  settings.contents.weights = state.get(kWeights, false).toBool();
  settings.contents.names = state.get(kNames, true).toBool();
  settings.layout = state.get(kLayout).toString() == QLatin1String("dot") ? LayoutEngine::kDot : LayoutEngine::kOwn;
  settings.openGroups = state.get(kOpenGroups, false).toBool();
  return settings;
}

void CanvasSettings::write(ViewState& state) const {
  state.put(kGrouping, QString::fromLatin1(groupingId(grouping)));
  state.put(kDirection, direction == FlowDirection::kRight ? QStringLiteral("right") : QStringLiteral("down"));
  state.put(kAttributes, contents.attributes);
  state.put(kWeights, contents.weights);
  state.put(kNames, contents.names);
  state.put(kLayout, layout == LayoutEngine::kDot ? QStringLiteral("dot") : QStringLiteral("own"));
  state.put(kOpenGroups, openGroups);
}

bool motionWanted(const ViewState& state) {
  return !state.get(QLatin1String(kReducedMotionKey), QGuiApplication::platformName() == QLatin1String("offscreen"))
              .toBool();
}

}  // namespace cutaway::ui
