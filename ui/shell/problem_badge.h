#pragma once
// How many errors and warnings the open model has, in the status line; a click opens the list of problems.
//
// Thread rule: GUI thread. Example: statusBar->addPermanentWidget(badge);  badge->present(document);

#include <QToolButton>

namespace cutaway::ui {

class Document;
struct Theme;

class ProblemBadge : public QToolButton {
  Q_OBJECT
 public:
  explicit ProblemBadge(QWidget* parent = nullptr);
  void present(const Document* document, const Theme& theme);  // null: nothing is open
};

}  // namespace cutaway::ui
