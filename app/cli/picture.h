#pragma once
// What painting without a window needs.
//
// Thread rule: the main thread. Example: const PictureApplication application;  ui::renderToFile(...);

#include <memory>

class QGuiApplication;

namespace cutaway::cli {

// Fonts need an application object; offscreen, whatever display there is.
class PictureApplication {
 public:
  PictureApplication();
  ~PictureApplication();

 private:
  int m_argumentCount = 1;
  std::unique_ptr<QGuiApplication> m_application;
};

}  // namespace cutaway::cli
