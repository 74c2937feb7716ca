#pragma once
// Finding on the canvas: the find bar, the hits and which of them is the current one. Searches run on the reading
// controller's thread.
//
// Thread rule: GUI thread.
// Example: auto* finder = new CanvasFinder(document, view);  finder->open();

#include <memory>
#include <vector>

#include <QObject>

#include "engine/base/result.h"
#include "ui/base/graph_target.h"
#include "ui/canvas/find_index.h"

class QWidget;

namespace cutaway::ui {

class Document;
class FindBar;
class ReadingController;

class CanvasFinder : public QObject {
  Q_OBJECT
 public:
  CanvasFinder(Document* document, QWidget* view);

  FindBar* bar() { return m_bar; }
  void open();
  const FindQuery& query() const { return m_query; }
  const std::vector<FindHit>& hits() const { return m_hits; }
  int current() const { return m_current; }  // index into hits(), -1: none
  void setWay(const QString& way);           // through which groups one comes to the current hit

 signals:
  void changed();                                 // hits, or the current one
  void arrived(const cutaway::ui::FindHit& hit);  // one has stepped to a hit
  void closed();

 private:
  void search();
  void show(std::vector<FindHit> hits);
  void showFailure(const Error& error);
  void step(int by);
  void tell();

  Document* m_document;
  ReadingController* m_controller;
  FindBar* m_bar;
  CancelToken m_cancel;
  FindQuery m_query;
  std::vector<FindHit> m_hits;
  int m_current = -1;
  QString m_way;
  int m_waitingSteps = 0;  // asked for before the hits were there
};

}  // namespace cutaway::ui
