#include "app/about/about.h"

#include <CLI/CLI.hpp>

#include "app/about/build_facts.h"
#include "app/about/option_tables.h"

namespace cutaway {

void declareAbout(CLI::App& app, std::span<const ExitMeaning> exits) {
  app.set_version_flag(
      "--version", [&app] { return versionText(app.get_name()); },
      "print version, compiler, libraries and modules, and exit");
  app.add_flag_callback(
         "--option-tables", [&app, exits] { throw CLI::CallForVersion(optionTables(app, exits), 0); },
         "print all options as JSON, and exit")
      ->group("");
}

std::string exitLine(std::span<const ExitMeaning> exits) {
  std::string line = "Exit codes:";
  for (const ExitMeaning& exit : exits)
    line += fmt::format("{} {} {}", &exit == exits.data() ? "" : ",", exit.code, exit.meaning);
  return line;
}

}  // namespace cutaway
