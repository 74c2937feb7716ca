#pragma once
// Where profiles are found: compiled into the program, in the user's folders, or at a path.
//
// Thread rule: pure, apart from reading files.
// Example: CUTAWAY_TRY(const ProfileText text, findProfile("TensorRT", folders));

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "providers/declared/profile_reader.h"

namespace cutaway::declared {

// A file of resources/profiles, as the build put it into the program.
struct ShippedProfile {
  std::string_view file;
  std::string_view name;
  std::string_view title;
  std::string_view version;
  std::string_view date;
  std::string_view text;
};
std::span<const ShippedProfile> shippedProfiles();

struct ProfileText {
  std::string text;
  std::string place;  // path, or "shipped with the program"
};

// By the name that the profile gives itself, in the folders first (a user's file stands before a shipped one of the
// same name), or by path when the argument ends with ".json" or holds a '/'. NO_SUCHFILE for a path that cannot be
// read; INVALID_ARGUMENT for a name nobody has, listing those that are known.
Result<ProfileText> findProfile(const std::string& argument, std::span<const std::filesystem::path> folders);

// Everything that is wrong with a file; empty: a good profile.
std::vector<std::string> checkProfile(const std::filesystem::path& path);
std::vector<std::string> checkProfileText(std::string_view text);

}  // namespace cutaway::declared
