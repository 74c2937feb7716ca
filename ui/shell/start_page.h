#pragma once
// What the window shows while nothing is open: how to open a model, sample models, recent files.
//
// Thread rule: GUI thread. Example: page->refresh();  connect(page, &StartPage::openRequested, ...);

#include <QWidget>

class QVBoxLayout;

namespace cutaway::ui {

class ThemeStore;
class ViewState;

class StartPage : public QWidget {
  Q_OBJECT
 public:
  StartPage(ThemeStore* themes, ViewState* viewState, QWidget* parent = nullptr);
  void refresh();

 signals:
  void openRequested(const QString& path);
  void dialogRequested();

 private:
  QWidget* makeCard(const QString& title, const QString& line, const QString& path);
  void addFiles(QVBoxLayout* column);
  void addKeys(QVBoxLayout* column);

  ThemeStore* m_themes;
  ViewState* m_viewState;
  QWidget* m_content = nullptr;
};

}  // namespace cutaway::ui
