#pragma once
// Context nodes of the open model: a table of all, and below it the chosen one with its checks, in plain words.
//
// Thread rule: GUI thread. Example: addTab(new NodesPage(context), tr("Context nodes"));

#include <QWidget>

#include "ui/panels/context/context_tables.h"
#include "ui/panels/panel.h"

class QSplitter;
class QTextBrowser;
class QUrl;

namespace cutaway::ui {

class LinkedTable;

class NodesPage : public QWidget {
  Q_OBJECT
 public:
  explicit NodesPage(const PanelContext& context, QWidget* parent = nullptr);
  void present(std::shared_ptr<const WalkReport> walk, ProviderMark mark);
  LinkedTable* table() { return m_table; }
  QTextBrowser* page() { return m_page; }

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitRows();
  void refresh();
  void follow(const QUrl& url);

  PanelContext m_context;
  LinkedTable* m_table;
  ReportModel* m_model;
  QTextBrowser* m_page;
  QSplitter* m_split;
  bool m_isMoved = false;
  QString m_html;
};

}  // namespace cutaway::ui
