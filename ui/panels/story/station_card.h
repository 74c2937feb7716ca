#pragma once
// One station of a story on a rail: the stage's icon, its title as a button, and lines below it that can be chosen.
//
// Thread rule: GUI thread. Example: auto* card = new StationCard(station, theme, {.first = true});  connect(card,
// &StationCard::chosen, ...);

#include <QWidget>

#include "ui/base/theme.h"
#include "ui/panels/story/story_of.h"

namespace cutaway::ui {

class StationCard : public QWidget {
  Q_OBJECT
 public:
  StationCard(const Station& station, const Theme& theme, bool first, bool last, bool here, QWidget* parent = nullptr);
  const Station& station() const { return m_station; }

 signals:
  void chosen();  // the station as a whole
  void lineChosen(int line);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Station m_station;
  Theme m_theme;
  bool m_first, m_last, m_here;
};

}  // namespace cutaway::ui
