#pragma once
// The types of values as reports write them, "float[batch,3]", taken apart and compared.
//
// Thread rule: pure. Example: matchTypes(wordsOf("float[batch,3]"), wordsOf("float[2,3]")) == TypeMatch::kOneTellsMore

#include <optional>
#include <string>
#include <vector>

namespace cutaway::study {

struct TypeWords {
  std::string element;
  std::optional<std::vector<std::string>> dims;  // numbers, names, "?"; nullopt: no rank is told
};
TypeWords wordsOf(const std::string& type);

// An open dimension may have any name on either side; to have none is the same as well.
enum class TypeMatch { kSame, kOneTellsMore, kDifferent };
TypeMatch matchTypes(const TypeWords& one, const TypeWords& other);

// Whether both tell a planner the same: the same numbers, names in the same places.
bool tellTheSame(const TypeWords& one, const TypeWords& other);

}  // namespace cutaway::study
