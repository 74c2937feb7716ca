#pragma once
// Arguments of the window: models, the options shared with the command line, and the tour.
//
// Thread rule: main thread, before the application object is made (the scale of the tour must be set first).
// Example: Result<DesktopOptions> options = parseDesktopOptions(argc, argv);

#include <string>
#include <vector>

#include "engine/session/session.h"

namespace cutaway {

struct DesktopOptions {
  session::SessionOptions session;
  std::vector<std::string> models;
  std::string tourFolder;  // empty: no tour
  std::string language;    // "en", "de", "zh"; empty: as settings or the system say
  std::string theme;       // "dark", "light" or empty: as remembered
  int textSize = 0;        // percent, for the tour; 0: as it is
  int scale = 1;
  std::string size = "1440x900";  // of the window, for the tour
  bool ownWindow = false;  // do not hand the models to a window that is open: asked for, or other options are given
  int exitCode = -1;       // at least 0: say nothing more and end (help was printed, or an argument was wrong)
};

DesktopOptions parseDesktopOptions(int argc, char** argv);

}  // namespace cutaway
