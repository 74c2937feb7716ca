#pragma once
// Places on the graph under the digits 1 to 9: stage, graph, what was unfolded, where the middle was and how near.
//
// Thread rule: GUI thread. Example: document->bookmarks().set(3, place);  if (const auto place =
// document->bookmarks().at(3)) canvas->goTo(*place);

#include <array>
#include <optional>

#include <QObject>
#include <QPointF>
#include <QString>
#include <QStringList>

#include "engine/report/walk_report.h"

namespace cutaway::ui {

struct Bookmark {
  QString title;  // what stood in the middle: "Conv conv_12"
  Stage stage = Stage::kLoad;
  int graph = 0;
  int origin = -1;  // original node nearest to the middle: finds the place again when the layout is another one
  QPointF centre;   // scene units, from that node
  double scale = 1;
  QStringList unfolded;
  bool operator==(const Bookmark&) const = default;
};

class Bookmarks : public QObject {
  Q_OBJECT
 public:
  static constexpr int kFirst = 1;
  static constexpr int kLast = 9;
  using QObject::QObject;

  std::optional<Bookmark> at(int digit) const {
    return digit >= kFirst && digit <= kLast ? m_places[static_cast<size_t>(digit)] : std::nullopt;
  }
  void set(int digit, std::optional<Bookmark> place) {
    if (digit < kFirst || digit > kLast) return;
    m_places[static_cast<size_t>(digit)] = std::move(place);
    emit changed();
  }

 signals:
  void changed();

 private:
  std::array<std::optional<Bookmark>, kLast + 1> m_places;
};

}  // namespace cutaway::ui
