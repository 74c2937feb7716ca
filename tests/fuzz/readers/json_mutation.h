#pragma once
// JSON changed where it means something: values of another kind, numbers at extremes, members that are missing, doubled
// or somewhere else, lists too long, bodies too deep. Bytes changed blindly seldom get past the parser.
//
// Thread rule: pure. Example: if (std::optional<std::string> changed = mutatedJson(bytes, random)) use(*changed);

#include <optional>
#include <string>
#include <string_view>

#include "tests/fuzz/driver.h"

namespace cutaway::fuzz {

// One to four changes. nullopt: it is no JSON (a record has a document in every line: one of them is changed).
std::optional<std::string> mutatedJson(std::string_view bytes, Random& random);

}  // namespace cutaway::fuzz
