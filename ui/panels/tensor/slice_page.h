#pragma once
// The table of a tensor: which axes are rows and columns, where the others stand, and the way to any element.
//
// Thread rule: GUI thread. Example: page->present(content);

#include "ui/panels/panel.h"
#include "ui/panels/tensor/slice_model.h"
#include "ui/panels/tensor/tensor_pages.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QSpinBox;
class QTableView;
class QToolButton;

namespace cutaway::ui {

class SlicePage : public TensorPage {
  Q_OBJECT
 public:
  explicit SlicePage(const PanelContext& context, QWidget* parent = nullptr);
  void present(std::shared_ptr<const study::TensorContent> content) override;
  bool shows(const study::TensorContent&) const override { return true; }
  QString copyText() const override;  // the chosen cells, else the window, as tab-separated values
  bool goTo(const QString& place);    // "2,0,17"; false: not inside

 private:
  void makeChoosers();
  void axesChosen();
  void showSlice(const TensorSlice& slice);
  void showWindow();
  void page(int direction);

  PanelContext m_context;
  std::shared_ptr<const study::TensorContent> m_content;
  SliceModel m_model;
  QHBoxLayout* m_choosers;
  QWidget* m_axes = nullptr;
  QComboBox* m_rows = nullptr;
  QComboBox* m_columns = nullptr;
  std::vector<QSpinBox*> m_fixed;
  QLineEdit* m_go;
  QLabel* m_window;
  QToolButton* m_previous;
  QToolButton* m_next;
  QTableView* m_view;
  bool m_choosing = false;
};

}  // namespace cutaway::ui
