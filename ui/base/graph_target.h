#pragma once
// Which node or value of which snapshot a row, a mark or a click is about.
//
// Thread rule: plain values.
// Example: NodeTarget target{GraphVersion::kPartitioned, 0, 12};  selection.selectNode(target);

#include <QMetaType>
#include <QString>

#include "engine/report/graph_report.h"

namespace cutaway::ui {

// The three states of the model that a walk publishes. Graph indexes are the same in all of them; node indexes are not.
enum class GraphVersion { kLoaded, kOptimized, kPartitioned };
inline constexpr int kGraphVersionCount = 3;

struct NodeTarget {
  GraphVersion version = GraphVersion::kLoaded;
  int graph = 0;
  int node = kNone;

  bool valid() const { return node >= 0; }
  bool operator==(const NodeTarget&) const = default;
};

struct ValueTarget {
  int graph = 0;
  QString name;

  bool valid() const { return !name.isEmpty(); }
  bool operator==(const ValueTarget&) const = default;
};

// What a table row is about; either part may be invalid.
struct RowTarget {
  NodeTarget node;
  ValueTarget value;
};

}  // namespace cutaway::ui

Q_DECLARE_METATYPE(cutaway::ui::RowTarget)
