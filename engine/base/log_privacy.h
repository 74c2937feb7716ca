#pragma once
// Messages as others may read them: a log is sent to people who help, and says no more than they need.
//
// Paths in the folders of opened models are written from there on; of others the last name stays. Values of what calls
// itself a password, a token or a key become ***. A path is what begins with "~/", "../" or with a folder that stands
// at the root of this machine: nodes have names such as "/encoder/Add" too. Control characters become escapes, so that
// a message is one line. Thread rule: any thread; one short lock. Example: forOthers("cannot read
// '/data/models/a/w.bin'") == "cannot read 'w.bin'" once "/data/models/a" is allowed, and "cannot read
// '…/w.bin'" before.

#include <filesystem>
#include <string>
#include <string_view>

namespace cutaway::log {

void allowFolder(const std::filesystem::path& folder);
std::string forOthers(std::string_view text);

}  // namespace cutaway::log
