#pragma once
// The options of a program and its verbs as JSON, read out of the parser that --help is printed by. Manual pages and
// completions are written from it, so there is one table of options.
//
// {"program", "version", "help", "footer", "options": [option], "verbs": [{"name", "help", "footer", "options"}],
//  "exits": [{"code", "meaning"}]}
// An option is {"names": ["-o", "--output"], "position": "MODEL" or "", "type": "FILE", "choices": ["a", "b"],
//  "limits": "INT in [0 - 3]", "help", "default", "required", "repeats", "flag"}.
// Thread rule: the main thread. Example: throw CLI::CallForVersion(optionTables(app, exits), 0);

#include <span>
#include <string>

#include "app/about/about.h"

namespace cutaway {

std::string optionTables(const CLI::App& app, std::span<const ExitMeaning> exits);

}  // namespace cutaway
