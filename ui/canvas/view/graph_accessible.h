#pragma once
// The graph for screen readers and other assistive programs: every item of the scene is a child with name, role, state,
// description and place, and can be pressed.
//
// The focus follows the selection. Interfaces of items are made when somebody asks for them, and go with the scene.
// Thread rule: GUI thread. Example: GraphAccessible::install();   // once, before the first GraphView

#include <memory>
#include <vector>

#include <QAccessibleWidget>
#include <QCoreApplication>

namespace cutaway::ui {

class GraphView;
struct Scene;

class GraphAccessible : public QAccessibleWidget {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::GraphAccessible)
 public:
  explicit GraphAccessible(GraphView* view);
  ~GraphAccessible() override;

  static void install();
  // Tells assistive programs where the focus is now; costs nothing where none listens.
  static void selectionChanged(GraphView* view);

  int childCount() const override;
  QAccessibleInterface* child(int index) const override;
  int indexOfChild(const QAccessibleInterface* child) const override;
  QAccessibleInterface* childAt(int x, int y) const override;
  QAccessibleInterface* focusChild() const override;
  QString text(QAccessible::Text kind) const override;
  QAccessible::State state() const override;

 private:
  GraphView* view() const;
  void forget() const;

  mutable std::weak_ptr<const Scene> m_scene;  // that the children are of
  mutable std::vector<QAccessible::Id> m_children;
};

}  // namespace cutaway::ui
