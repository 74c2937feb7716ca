#pragma once
// What plug-in providers measured inside their groups, as text and JSON, apart from the times of this program.
//
// Thread rule: the main thread. Example: printOwnProfiles(ownProfilesOf(walk));

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/provider/own_profiles.h"
#include "engine/report/walk_report.h"

namespace cutaway::cli {

// Of the groups of this walk, in their order.
std::vector<OwnProfile> ownProfilesOf(const WalkReport& walk);
void printOwnProfiles(const std::vector<OwnProfile>& profiles);
nlohmann::json ownProfilesToJson(const std::vector<OwnProfile>& profiles);

}  // namespace cutaway::cli
