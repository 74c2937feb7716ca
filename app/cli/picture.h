#pragma once
// Pictures of a walk's graph, painted by the canvas's own painter without a window.
//
// Thread rule: the main thread. Example: const QGuiApplicationHolder application;  CUTAWAY_TRY(const std::string svg, graphSvg(*walk, cancel));

#include <memory>
#include <string>

#include "engine/base/progress.h"
#include "engine/report/walk_report.h"

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

// The main graph as an <svg> element, scopes folded when it has more than `foldAbove` nodes.
Result<std::string> graphSvg(const WalkReport& walk, size_t foldAbove, const CancelToken& cancel);

}  // namespace cutaway::cli
