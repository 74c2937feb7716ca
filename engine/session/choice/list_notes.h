#pragma once
// What is worth knowing of a list of providers although nothing is wrong: where the one that takes the rest stands in
// it, and what auto took.
//
// Thread rule: pure. Example: report.notes = listNotes(options.providers, "cpu", choice);

#include <string>
#include <vector>

#include "engine/report/provider_choice.h"

namespace cutaway::session {

// How many entries stand behind the provider `last` in the user's list; 0: it is not named, or named last.
size_t namedBehind(const std::vector<std::string>& providers, const std::string& last);

// last: the provider that takes the rest. choice: of a list that says auto; nullptr: providers are named.
std::vector<std::string> listNotes(const std::vector<std::string>& providers, const std::string& last,
                                   const ProviderChoice* choice);

}  // namespace cutaway::session
