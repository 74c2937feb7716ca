#pragma once
// Which models share a binary, who compiles them, and where it all goes.
//
// Thread rule: GUI thread. Example: form->setOpenModel("prefill.onnx");  const SharingWish wish = form->wish();

#include <QWidget>

#include "ui/panels/sharing/sharing_rows.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace cutaway::ui {

struct OfferedProvider;

class SharingForm : public QWidget {
  Q_OBJECT
 public:
  explicit SharingForm(const std::vector<OfferedProvider>& providers, QWidget* parent = nullptr);

  // It becomes the first model, in the place of the one that was open before; its folder is where files go.
  void setOpenModel(const QString& path);
  void addModels(const QStringList& paths);
  SharingWish wish() const;
  QString problem() const;  // why it cannot start; empty: it can

 signals:
  void changed();

 private:
  void arrange();
  void browseModels();
  void browseFolder();
  void removeChosen();
  QStringList models() const;

  QString m_open;
  QListWidget* m_models;
  QPushButton* m_add;
  QPushButton* m_remove;
  QComboBox* m_provider;
  QLineEdit* m_options;
  QLineEdit* m_folder;
  QPushButton* m_browse;
  QCheckBox* m_overwrite;
};

}  // namespace cutaway::ui
