#pragma once
// What a compiled group is called where it stands for its nodes.
//
// Thread rule: pure. Example: page.heading(groupTitle(group.nodes.size()), name);

#include <QCoreApplication>
#include <QString>

namespace cutaway::ui {

// "Group of 15 nodes": as many as its provider was asked about, which is what tables and legends count.
inline QString groupTitle(size_t nodes) {
  const auto count = static_cast<int>(nodes);
  return QCoreApplication::translate("CardPainter", "Group of %n nodes", nullptr, count);
}

}  // namespace cutaway::ui
