#pragma once
// Export of the open model: the form, the question before something is replaced, progress with Cancel, and what came of
// it.
//
// Thread rule: GUI thread. Example: addTab(new ExportPage(context), tr("Export"));

#include <QWidget>

#include "ui/document/context_controller.h"
#include "ui/panels/panel.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTextBrowser;

namespace cutaway::ui {

class ExportForm;

class ExportPage : public QWidget {
  Q_OBJECT
 public:
  explicit ExportPage(const PanelContext& context, QWidget* parent = nullptr);

  ExportForm* form() { return m_form; }
  QPushButton* exportButton() { return m_export; }
  QPushButton* replaceButton() { return m_replace; }
  QPushButton* keepButton() { return m_keep; }
  QPushButton* openButton() { return m_open; }
  QPushButton* folderButton() { return m_folder; }
  QPushButton* copyButton() { return m_copy; }
  QPushButton* verifyButton() { return m_verify; }
  QPushButton* againButton() { return m_again; }
  QTextBrowser* result() { return m_result; }
  QString words() const;  // the sentence beside the buttons
  QString question() const;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeQuestion();
  QWidget* makeStrip();
  void start(bool replace);
  void refresh();
  void showResult();
  void copyCommand();
  void openFolder();
  QString sentence() const;
  bool isShowingResult() const;

  PanelContext m_context;
  ExportForm* m_form;
  QStackedWidget* m_pages;
  QTextBrowser* m_result;
  QWidget* m_question = nullptr;
  QLabel* m_questionWords;
  QLabel* m_words;
  QLabel* m_error;
  QProgressBar* m_progress;
  QPushButton* m_export;
  QPushButton* m_replace;
  QPushButton* m_keep;
  QPushButton* m_open;
  QPushButton* m_folder;
  QPushButton* m_copy;
  QPushButton* m_verify;
  QPushButton* m_again;
  std::shared_ptr<const ContextWritten> m_seen;  // the export whose result came to the front
};

}  // namespace cutaway::ui
