#pragma once
// One way of looking at a tensor: a page of the viewer's tabs.
//
// Thread rule: GUI thread. Example: for (TensorPage* page : makeTensorPages(context)) tabs->addTab(page,
// page->windowTitle());

#include <memory>
#include <vector>

#include <QImage>
#include <QWidget>

#include "engine/study/tensor/tensor_content.h"
#include "ui/panels/panel.h"

namespace cutaway::ui {

class TensorPage : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;
  virtual void present(std::shared_ptr<const study::TensorContent> content) = 0;  // null: nothing to show
  virtual bool shows(const study::TensorContent& content) const { return content.isNumeric(); }
  virtual QString copyText() const { return {}; }
  virtual QImage copyImage() const { return {}; }  // picture without its frame
  virtual QWidget* picture() { return nullptr; }   // what an export draws
};

// Table, image, heat map, histogram, statistics; windowTitle() is the tab's.
std::vector<TensorPage*> makeTensorPages(const PanelContext& context);

}  // namespace cutaway::ui
