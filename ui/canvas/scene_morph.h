#pragma once
// From one scene to the next: where every item stands on the way, so that the eye can follow a fold, an unfold or the
// step to another stage.
//
// Nodes are matched by their numbers within the same graphs, by their origins between stages; scopes by their paths;
// inputs and outputs by name. What comes out of a folded scope grows out of its card, what is folded shrinks into it;
// what has no counterpart fades. Thread rule: immutable after construction; pure geometry. Example: SceneMorph
// morph(before, after, shift);  painter.setOpacity(morph.opacity(item, t));  draw(item, morph.rect(item, t));

#include <memory>
#include <vector>

#include <QPainter>

#include "ui/canvas/scene.h"
#include "ui/canvas/scene_look.h"

namespace cutaway::ui {

class SceneMorph {
 public:
  // shift: from places of the old scene to the same places in the new one, so that the anchor stays where it is.
  SceneMorph(std::shared_ptr<const Scene> before, std::shared_ptr<const Scene> after, const QPointF& shift);

  const Scene& before() const { return *m_before; }
  const Scene& after() const { return *m_after; }
  const QPointF& shift() const { return m_shift; }

  // Items of the new scene; share from 0, the old picture, to 1, the new one.
  QRectF rect(int item, double share) const;
  double opacity(int item, double share) const { return m_from[item].item >= 0 ? 1 : share; }
  int counterpart(int item) const { return m_from[item].item; }  // in the old scene, -1: new

  // Items of the old scene that have no counterpart, in places of the new scene.
  struct Gone {
    int item = 0;
    QRectF from, to;
    QRectF rect(double share) const;
  };
  const std::vector<Gone>& gone() const { return m_gone; }

  QRectF boxRect(int box, double share) const;
  bool boxIsNew(int box) const { return m_boxFrom[box].isNull(); }

  // Moves an end of a line with the item it is fast to.
  QPointF moved(const QPointF& point, int item, double share) const;
  bool netIsNew(int net) const { return m_netIsNew[net]; }

 private:
  struct From {
    QRectF rect;
    int item = -1;
  };
  void matchItems();
  void matchBoxes();
  void listGone();
  void matchNets();

  std::shared_ptr<const Scene> m_before, m_after;
  QPointF m_shift;
  std::vector<From> m_from;
  std::vector<Gone> m_gone;
  std::vector<QRectF> m_boxFrom;
  std::vector<bool> m_netIsNew;
  std::vector<int> m_becomes;  // old item -> new item that took its nodes, -1: none
};

// One frame. lookBefore is of the old scene; `window` in places of the new scene.
void paintMorph(QPainter& painter, const SceneMorph& morph, const SceneLook& lookBefore, const SceneLook& look,
                const QRectF& window, double scale, double share);
// Items of both scenes in the window: what a frame costs.
int morphCost(const SceneMorph& morph, const QRectF& window);

}  // namespace cutaway::ui
