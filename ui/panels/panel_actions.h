#pragma once
// What a panel may ask of the window that holds it.
//
// Thread rule: GUI thread. Example: emit context.actions->message(tr("Saved %1").arg(path));

#include <QObject>
#include <QString>
#include <QStringList>

namespace cutaway::ui {

class PanelActions : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

 signals:
  void message(const QString& text);                // a line in the status bar
  void openRequested(const QString& path);          // another model, in a tab of its own
  void openAlikeRequested(const QString& path);     // with the providers and settings of the model that is shown
  void runRequested();                              // from the window: run as the run panel's fields say
  void saveEditedRequested();                       // from the window: ask for a name, and save the edited model
  void exportContextRequested();                    // from the window: show the form of the export
  void enterGraph(int graph);                       // show this body or function on the canvas
  void toolRequested(const QString& id);            // bring a tool panel to the front: "tensor", "operator" ...
  void overlayRequested(const QString& id);         // colour the graph by this
  void compareRequested(const QString& otherPath);  // the open model beside another one; empty: beside the what-if
  void inputFilesGiven(
      const QStringList& files);  // from the window: tensors dropped on it, for the next run of the model that is shown
  void exportRequested(QWidget* picture, const QString& name);  // a panel's picture, as PNG or SVG
};

}  // namespace cutaway::ui
