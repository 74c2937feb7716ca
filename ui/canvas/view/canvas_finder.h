#pragma once
// Finding on the canvas: the find bar, the index of the graphs that are shown, the hits and which of them is the current one.
//
// Thread rule: GUI thread; the index is made on a worker, so that the first picture does not wait for it.
// Example: auto* finder = new CanvasFinder(document, view, this);  finder->setGraphs(version, graphs);  finder->open();

#include <QObject>
#include <QThreadPool>
#include <memory>
#include <vector>

#include "ui/base/graph_target.h"
#include "ui/canvas/find_index.h"

class QWidget;

namespace cutaway::ui {

class Document;
class FindBar;

class CanvasFinder : public QObject {
  Q_OBJECT
 public:
  CanvasFinder(Document* document, QWidget* view);
  ~CanvasFinder() override;

  FindBar* bar() { return m_bar; }
  void open();
  // The graphs that are shown now; their index replaces the old one when it is made. null: nothing is shown.
  void setGraphs(GraphVersion version, std::shared_ptr<const ModelGraphs> graphs);
  const FindQuery& query() const { return m_query; }
  const std::vector<FindHit>& hits() const { return m_hits; }
  int current() const { return m_current; }  // index into hits(), -1: none

 signals:
  void changed();  // hits, or the current one
  void closed();

 private:
  void search();
  void step(int by);

  Document* m_document;
  FindBar* m_bar;
  QThreadPool m_pool;
  quint64 m_job = 0;
  GraphVersion m_version = GraphVersion::kLoaded;
  std::shared_ptr<const ModelGraphs> m_graphs;
  std::shared_ptr<const FindIndex> m_index;  // of m_graphs; null while it is made
  FindQuery m_query;
  std::vector<FindHit> m_hits;
  int m_current = -1;
};

}  // namespace cutaway::ui
