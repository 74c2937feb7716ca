#include "app/about/log_options.h"

#include <CLI/CLI.hpp>

#include "app/about/build_facts.h"
#include "engine/base/log.h"
#include "engine/base/log_file.h"

namespace cutaway {

void declareLog(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--log",
          [](const std::string& level) {
            if (const Result<void> set = log::setLevel(level); !set)
              throw CLI::ValidationError("--log", set.error().message);
          },
          "log level: trace, debug, info, warn, error, off; without it warn on stderr and info in the log file")
      ->type_name("LEVEL");
  command
      .add_option_function<std::string>(
          "--log-file",
          [](const std::string& file) {
            if (const Result<void> opened = log::openFile(file); !opened)
              throw CLI::ValidationError("--log-file", opened.error().message);
            log::event(log::kInfo, log::Category::kProgram, "begins", {{"version", versionNumber()}});
          },
          "also write the log into FILE, without secrets and without paths outside of the model's folder; it is turned "
          "at 4 MB, and three older ones are kept")
      ->type_name("FILE");
}

}  // namespace cutaway
