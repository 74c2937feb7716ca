#pragma once
// Where this program lies, and whether it is still where it was built.
//
// An installed program must not open what lies in the folder that it was built in: somebody else may own that path on
// the user's machine. Knows the C++ library and the system alone: modules link it as well.
// Thread rule: any thread. Example: moduleFolders(kFolderVariable, foldersOfBuild(BUILD, {BUILD "/bin"}));

#include <filesystem>
#include <vector>

namespace cutaway {

// Beside the program's folder, where an installation has what the program starts or opens: modules and hosts.
inline constexpr const char* kModulesBesideProgram = "../lib/cutaway";
// The same from the folder of the shared library, where programs of others use it.
inline constexpr const char* kModulesBesideLibrary = "cutaway";

std::filesystem::path programFolder();  // of the executable, links followed; empty where the system does not say
std::filesystem::path libraryFolder();  // of the shared library that this is part of; empty in a program of ours
// The folders, where the program lies below `build`; none where it was installed or copied elsewhere.
std::vector<std::filesystem::path> foldersOfBuild(const std::filesystem::path& build,
                                                  const std::vector<std::filesystem::path>& folders);

}  // namespace cutaway
