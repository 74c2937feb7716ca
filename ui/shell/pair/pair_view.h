#pragma once
// The other side of a comparison, beside the canvas of a page: another model, or the walk of the what-if; its canvas,
// what differs in figures and as a list, next and previous.
//
// Both canvases move together and share selection and stage (PairLink); the overlay "diff" colours what is changed or
// only on one side. Thread rule: GUI thread; the difference is found by the document's ModelDiffController, on another
// thread. Example: PairView* pair = openPair(*page, QStringLiteral("other.onnx"), context);  pair->stepDifference(1);
// pair->close();

#include <memory>

#include <QPointer>
#include <QWidget>

#include "ui/panels/panel.h"
#include "ui/shell/pair/pair_link.h"

class QLabel;
class QTableView;
class QToolButton;

namespace cutaway::ui {

class CanvasPane;
class DocumentPage;
class ReportModel;

class PairView : public QWidget {
  Q_OBJECT
 public:
  // Of a file, or of the what-if of the page's document when the path is empty.
  PairView(DocumentPage* page, const QString& otherPath, ThemeStore* themes, ViewState* viewState,
           QWidget* parent = nullptr);
  ~PairView() override;

  Document* other() { return m_other; }
  CanvasPane* canvas() { return m_canvas; }
  PairLink* link() { return m_link; }
  QTableView* list() { return m_list; }
  QLabel* summary() { return m_summary; }
  bool isWhatIf() const { return m_whatIf; }
  // What differs, made elsewhere (tests): stands until the controller finds another one.
  void present(std::shared_ptr<const ModelDiff> diff);

  void stepDifference(int by);
  void swapSides();
  void setOverlayShown(bool shown);
  void endComparison();  // takes itself off

 signals:
  void ended();

 private:
  QWidget* makeHead();
  void makeList();
  void refreshHead();
  void refreshDifference();
  void showWhatIf();
  void showOverlays();
  void showRow(int row);
  QToolButton* button(const QString& words, const QString& icon, const QString& tip, bool checkable = false);

  DocumentPage* m_page;
  QPointer<Document> m_document;
  QPointer<CanvasPane> m_pageCanvas;
  ThemeStore* m_themes;
  bool m_whatIf;
  Document* m_other;
  CanvasPane* m_canvas;
  PairLink* m_link;
  QLabel* m_title;
  QLabel* m_summary;
  QToolButton* m_linkViews;
  QToolButton* m_colours;
  QTableView* m_list;
  ReportModel* m_model;
  std::shared_ptr<const ModelDiff> m_diff;
  bool m_choosing = false;
};

// The comparison beside a page, if there is one.
PairView* pairOf(const DocumentPage* page);
// Opens one; another that was there goes.
PairView* openPair(DocumentPage* page, const QString& otherPath, ThemeStore* themes, ViewState* viewState);
// "12 changed, 3 only in A, 1 only in B, 180 the same".
QString differenceWords(const ModelDiff& diff, bool whatIf);

}  // namespace cutaway::ui
