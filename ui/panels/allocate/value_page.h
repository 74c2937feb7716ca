#pragma once
// The selected value: why it lives where it lives, and its buffer as lanes.
//
// Thread rule: GUI thread.
// Example: auto* page = new ValuePage(context);  page->present(view);

#include <memory>

#include <QUrl>
#include <QWidget>

#include "ui/panels/allocate/allocation_view.h"
#include "ui/panels/panel.h"

class QLabel;
class QSplitter;
class QStackedLayout;
class QTextBrowser;

namespace cutaway::ui {

class LifeChart;

class ValuePage : public QWidget {
  Q_OBJECT
 public:
  explicit ValuePage(const PanelContext& context, QWidget* parent = nullptr);
  void present(std::shared_ptr<const AllocationView> view);
  LifeChart* lanes() { return m_lanes; }
  QTextBrowser* page() { return m_page; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  void follow(const QUrl& link);
  // The selected value, or the first output of the selected node; plan and value, kNone when there is none.
  std::pair<int, int> chosen() const;

  PanelContext m_context;
  std::shared_ptr<const AllocationView> m_view;
  QStackedLayout* m_stack;
  QTextBrowser* m_page;
  LifeChart* m_lanes;
  int m_plan = -1;
};

}  // namespace cutaway::ui
