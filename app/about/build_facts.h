#pragma once
// Version, commit, compiler, libraries and modules of this build: what a report of a fault begins with.
//
// Thread rule: pure. Example: std::fputs(versionText("cutaway-cli").c_str(), stdout);

#include <string>

namespace cutaway {

const char* versionNumber();    // "0.2.0"
const char* commitOfSources();  // "1a2b3c4d5e6f with changes"; empty: not known

// "cutaway-cli 0.2.0" and lines "name: facts" below it. Modules are looked for, not opened: `cutaway-cli providers`
// says whether they work.
std::string versionText(const std::string& program);

}  // namespace cutaway
