#pragma once
// What if: a draft of the configuration, compared with what the session has.
//
// Thread rule: GUI thread; the comparison runs on the document's worker.
// Example: auto* page = new WhatIfPage(context);  connect(page, &WhatIfPage::titleChanged, ...);

#include <memory>

#include <QWidget>

#include "engine/study/what_if/what_if.h"
#include "ui/panels/panel.h"

class QButtonGroup;
class QCheckBox;
class QPushButton;
class QStackedWidget;

namespace cutaway::ui {

class ComparisonControls;
class DraftEditor;
class FiguresView;
class LinkedTable;
class ReportModel;

class WhatIfPage : public QWidget {
  Q_OBJECT
 public:
  enum Page { kChange, kFigures, kMoved, kCopies, kPageCount };

  explicit WhatIfPage(const PanelContext& context, QWidget* parent = nullptr);
  void showPage(Page page);
  DraftEditor* editor() { return m_editor; }
  FiguresView* figures() { return m_figures; }
  QPushButton* compareButton();
  QPushButton* applyButton();
  bool saveTo(const QString& path);  // the draft as a configuration file
  bool loadFrom(const QString& path);
  void copyReferenceKeys();

 private:
  QWidget* makeTop();
  QWidget* makeSideBySide();
  QWidget* makeMenuButton();
  bool isReady() const;
  QString resultSentence() const;
  LinkedTable* makeTable(ReportModel*& model, const char* key);
  void refresh();
  void presentResult();
  bool refuse(const Error& error);  // says it below the page; always false

  PanelContext m_context;
  DraftEditor* m_editor;
  FiguresView* m_figures;
  ReportModel* m_moved;
  ReportModel* m_copies;
  QButtonGroup* m_choice;
  QStackedWidget* m_pages;
  QCheckBox* m_measure;
  QPushButton* m_beside = nullptr;
  ComparisonControls* m_controls;
  std::shared_ptr<const study::WhatIfResult> m_shown;
};

}  // namespace cutaway::ui
