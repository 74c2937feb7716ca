#pragma once
// What every provider said about the selected node, in order of priority: the refusal inspector.
//
// Thread rule: GUI thread.
// Example: auto* answers = new NodeAnswers(context);  answers->present(view);  connect(answers,
// &NodeAnswers::groupRequested, ...);

#include <memory>

#include <QWidget>

#include "ui/panels/panel.h"
#include "ui/panels/partition/partition_view.h"

class QPushButton;
class QStackedLayout;
class QTextBrowser;

namespace cutaway::ui {

struct Theme;

class NodeAnswers : public QWidget {
  Q_OBJECT
 public:
  explicit NodeAnswers(const PanelContext& context, QWidget* parent = nullptr);
  void present(std::shared_ptr<const PartitionView> view);
  QString html() const { return m_html; }

 signals:
  void groupRequested(int group);  // index in the report

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  void follow(const QString& link);
  const NodePlacement* single() const;  // the one selected node; null: none, or several

  PanelContext m_context;
  std::shared_ptr<const PartitionView> m_view;
  QStackedLayout* m_stack;
  QTextBrowser* m_page;
  QPushButton* m_group;
  QPushButton* m_pin;
  QString m_html;
};

// The page as text with marks "mark:N"; empty when nothing is selected. Pure, for tests.
QString answersPage(const PartitionView& view, const std::vector<const NodePlacement*>& selected, const Theme& theme);

}  // namespace cutaway::ui
