#pragma once
// Walks through every stage and every tool of one model, or through the views of a sweep, and writes a picture of the
// window at each: `cutaway --tour DIR MODEL`.
//
// Thread rule: GUI thread; quits the application with 0, or 1 when something could not be done.
// Example: Tour tour(&window, "manual/", "model.onnx");  tour.start();  return app.exec();

#include <QDir>
#include <QElapsedTimer>
#include <QObject>
#include <QTemporaryDir>

#include "engine/report/walk_report.h"

namespace cutaway::ui {

class MainWindow;
class SweepTab;

class Tour : public QObject {
  Q_OBJECT
 public:
  Tour(MainWindow* window, const QString& folder, const QString& model);
  void start();

 private:
  void next();
  void pictureSweep(SweepTab* sweep);
  bool settled();
  void takePicture(const QString& name);
  void takeToolPictures();
  void selectLasting(const ModelGraphs& shown, size_t wanted);
  bool beginMore(Stage shown);  // arranges the further picture of a stage; false: it has none
  bool compare();               // tries something out; false: there is nothing to try
  bool comparePlans();
  bool nextSight();  // arranges what else the graph can show; false: all have had their picture
  void takeTabPictures(const QString& stage);  // of the tables behind the first one
  bool findKernels();    // asks for the kernels of the selected node and all others; false: nothing will run
  bool exportContext();  // writes a context model into a scratch folder and verifies it; false: nothing can be kept
  bool nextTool();       // raises the next tool panel; false: all have had their picture
  void end(int code, const QString& why);

  MainWindow* m_window;
  QDir m_folder;
  QString m_model;
  int m_stage = -1;  // -1: walking, 0..: stage whose picture is due
  bool m_ran = false;
  bool m_comparing = false;  // the picture that is due is that of a comparison
  bool m_exporting = false;  // the picture that is due is that of an export
  bool m_finding = false;    // the picture that is due is that of the kernels
  int m_sight = -1;          // of the graph, whose picture is due; -1: none
  QTemporaryDir m_scratch;
  bool m_measured = false;  // the picture that is due is planned against measured memory
  int m_tool = -1;          // place in the table of panels whose picture is due; -1: the stages are not done
  int m_quiet = 0;          // how often in a row everything stood still
  QElapsedTimer m_patience;
};

}  // namespace cutaway::ui
