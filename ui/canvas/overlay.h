#pragma once
// What colours mean on the canvas: provider, time, memory, order, kind of operator or what a context model keeps, with a legend that also says it in letters and words.
//
// Thread rule: pure over immutable snapshots.
// Example: Overlay overlay = makeOverlay(OverlayKind::kProvider, *walk, GraphVersion::kPartitioned, 0);

#include <QChar>
#include <QString>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/report/walk_report.h"
#include "ui/base/graph_target.h"
#include "ui/base/provider_marks.h"

namespace cutaway::ui {

enum class OverlayKind { kNone, kOperator, kProvider, kTime, kMemory, kOrder, kContext };

const char* overlayId(OverlayKind kind);  // "none", "operator", "provider", "time", "memory", "order", "context"
QString overlayTitle(OverlayKind kind);
std::optional<OverlayKind> overlayFromId(std::string_view id);
// What a stage shows unless the user chose otherwise.
OverlayKind overlayFor(Stage stage);

struct LegendEntry {
  int category = 0;
  QChar letter;
  QString label;
  int count = 0;  // nodes
};

struct Overlay {
  OverlayKind kind = OverlayKind::kNone;
  std::vector<signed char> category;  // per node, -1 none; of categorical overlays
  std::vector<double> amount;         // per node, negative: unknown; of the others
  double largest = 0;
  std::vector<LegendEntry> legend;    // categorical
  QString lowText, highText;          // ramps
  bool available = true;
  QString missing;                    // why not

  bool isRamp() const { return kind == OverlayKind::kTime || kind == OverlayKind::kMemory || kind == OverlayKind::kOrder; }
  QString amountText(double amount) const;
  QChar letterOf(int category) const;
};

// marks: colours and letters of providers; null: those of this walk.
Overlay makeOverlay(OverlayKind kind, const WalkReport& walk, GraphVersion version, int graph, const ProviderMarks* marks = nullptr);

}  // namespace cutaway::ui
