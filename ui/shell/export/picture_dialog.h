#pragma once
// What a picture of the graph shall be: PNG or SVG, how large, whole or what is in sight, light or dark, which colours.
// It says what the picture will measure.
//
// Thread rule: GUI thread. Example: PictureDialog dialog(page, themes, viewState, window);  if (dialog.exec())
// write(dialog.path(), dialog.request());

#include <QDialog>

#include "ui/canvas/picture.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;

namespace cutaway::ui {

class DocumentPage;
class ThemeStore;
class ViewState;

class PictureDialog : public QDialog {
  Q_OBJECT
 public:
  PictureDialog(DocumentPage* page, ThemeStore* themes, ViewState* viewState, QWidget* parent);
  QString path() const;
  bool isSvg() const;
  PictureRequest request() const;

 private:
  void refresh();
  void choosePath();
  void accept() override;

  DocumentPage* m_page;
  ViewState* m_viewState;
  QComboBox* m_format;
  QComboBox* m_part;
  QComboBox* m_theme;
  QComboBox* m_overlay;
  QCheckBox* m_legend;
  QDoubleSpinBox* m_scale;
  QLineEdit* m_path;
  QLabel* m_measure;
};

}  // namespace cutaway::ui
