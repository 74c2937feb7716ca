#include "app/about/log_options.h"

#include "app/about/build_facts.h"
#include "app/options/taken_option.h"
#include "engine/base/log.h"
#include "engine/base/log_file.h"

namespace cutaway {

void declareLog(CLI::App& command) {
  addTakenOption(
      command, "--log", [](const std::string& level) { return log::setLevel(level); },
      "log level: trace, debug, info, warn, error, off; without it warn on stderr and info in the log file", "LEVEL");
  const auto openLog = [](const std::string& file) -> Result<void> {
    CUTAWAY_CHECK(log::openFile(file));
    log::event(log::kInfo, log::Category::kProgram, "begins", {{"version", versionNumber()}});
    return {};
  };
  addTakenOption(
      command, "--log-file", openLog,
      "also write the log into FILE, without secrets and without paths outside of the model's folder; it is turned "
      "at 4 MB, and three older ones are kept",
      "FILE");
}

}  // namespace cutaway
