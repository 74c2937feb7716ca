#pragma once
// JSON -> Profile, with every error at its path and line: members that nobody knows, wrong kinds, and rules that
// contradict each other.
//
// Thread rule: pure.
// Example:
//   const ProfileReading reading = readProfile(*parseLocatedJson(text));
//   for (const ProfileError& error : reading.errors.all()) print(toText(error));

#include "providers/declared/object_reader.h"

namespace cutaway::declared {

inline constexpr const char* kProfileSchema = "cutaway.profile/1";

struct ProfileReading {
  Profile profile;  // usable when errors is empty
  ProfileErrors errors;
};
ProfileReading readProfile(const JsonValue& root);

// What operator rules need from the profile around them.
struct OperatorReading {
  const std::vector<std::string>& sourceIds;
  ProfileErrors& errors;
};
// The index of the source that a "source" member names; 0 when it names none, because the first source is everybody's.
int readSource(ObjectReader& reader, const OperatorReading& context);
OperatorRule readOperator(const JsonValue& value, const std::string& path, const OperatorReading& context);
RefusedOperator readRefused(const JsonValue& value, const std::string& path, const OperatorReading& context);
// Element types by name; an empty list or an unknown name is noted.
TypeSet readTypes(const JsonValue& value, const std::string& path, ProfileErrors& errors);

}  // namespace cutaway::declared
