#pragma once
// A tensor as an image or as a heat map: which axes, which channel, which range; the picture is made on a worker.
//
// Thread rule: GUI thread. Example: auto* page = new PicturePage(context, PicturePage::kHeatMap);
// page->present(content);

#include <QFutureWatcher>

#include "ui/panels/panel.h"
#include "ui/panels/tensor/tensor_pages.h"
#include "ui/panels/tensor/tensor_picture.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QSpinBox;

namespace cutaway::ui {

class PictureView;

class PicturePage : public TensorPage {
  Q_OBJECT
 public:
  enum Mode { kImage, kHeatMap };
  PicturePage(const PanelContext& context, Mode mode, QWidget* parent = nullptr);
  ~PicturePage() override;

  void present(std::shared_ptr<const study::TensorContent> content) override;
  bool shows(const study::TensorContent& content) const override {
    return content.isNumeric() && content.count() > 0 && content.count() >= (m_mode == kImage ? 4 : 1);
  }
  QImage copyImage() const override;
  QWidget* picture() override;
  TensorPictureRequest request() const;

 signals:
  void made();

 private:
  void arrange();
  void makeAxes();
  void make();

  PanelContext m_context;
  Mode m_mode;
  std::shared_ptr<const study::TensorContent> m_content;
  QHBoxLayout* m_row;
  QComboBox* m_layout;
  QComboBox* m_channel;
  QComboBox* m_range;
  QWidget* m_axes = nullptr;
  std::vector<std::pair<int, QSpinBox*>> m_fixed;  // axis, its index
  QLabel* m_words;
  QLabel* m_sampled;
  PictureView* m_view;
  QFutureWatcher<Result<TensorPicture>> m_watcher;
  bool m_filling = false;
  bool m_keepPlace = false;
};

}  // namespace cutaway::ui
