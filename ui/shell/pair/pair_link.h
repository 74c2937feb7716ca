#pragma once
// Two canvases that move as one: the node nearest to the middle of one stands at the same place of the other, at the
// same scale; selection and stage go along.
//
// Thread rule: GUI thread.
// Example: auto* link = new PairLink(left, leftDocument, right, rightDocument, this);  link->setPairs(pairs);
// link->setViewsLinked(false);

#include <vector>

#include <QObject>

#include "ui/shell/pair/pair_index.h"

namespace cutaway::ui {

class CanvasPane;

class PairLink : public QObject {
  Q_OBJECT
 public:
  PairLink(CanvasPane* a, Document* documentA, CanvasPane* b, Document* documentB, QObject* parent);
  void setPairs(PairIndex pairs);
  const PairIndex& pairs() const { return m_pairs; }
  void setViewsLinked(bool linked);
  void setSelectionLinked(bool linked) { m_selectionLinked = linked; }
  // Selects both sides of a difference, and brings them into sight.
  void show(const NodeDiff& node);

 private:
  struct Side {
    CanvasPane* pane;
    Document* document;
    std::vector<int> partners;   // by node of its shown graph, of the other's shown graph
    const void* made = nullptr;  // for this scene
    const void* madeOther = nullptr;
  };
  void connectSide(int from);
  void follow(int from);  // the other view
  void followSelection(int from);
  void followGraph(int from);
  void refreshPartners(int from);

  Side m_sides[2];
  PairIndex m_pairs;
  bool m_viewsLinked = true, m_selectionLinked = true;
  bool m_linking = false;
};

}  // namespace cutaway::ui
