#pragma once
// Where a plug-in writes what it measures of each group: a file for each session, because sessions of one process would
// write into one another's.
//
// Thread rule: as ExecutionProvider. Example:
//   if (auto file = m_profiles.next(settings)) m_profiles.show(*file, profile, wordsOf);

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "engine/provider/own_profiles.h"
#include "providers/onnxruntime/plugin/qnn_profile.h"
#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

struct ProfileFile {
  std::filesystem::path path;
  size_t before = 0;  // bytes that were there: the plug-in adds to them
};

class ProfileFiles {
 public:
  ProfileFiles() = default;
  ~ProfileFiles();  // with the files, but for those that the user named
  ProfileFiles(const ProfileFiles&) = delete;
  ProfileFiles& operator=(const ProfileFiles&) = delete;

  // Gives the session of these settings a file, where its provider is one whose files are read here and its option
  // profiling_level asks for one: beside the user's profiling_file_path ("p.csv", "p_2.csv"), or in a folder of its
  // own.
  std::optional<ProfileFile> next(SessionSettings& settings);
  // Whether it would.
  static bool isWanted(const SessionSettings& settings);
  // The file is read when somebody asks for OwnProfiles. profile: all but figures.
  void show(const ProfileFile& file, OwnProfile profile, std::function<NodeWords(NodeId)> wordsOf);

 private:
  std::filesystem::path m_folder;
  int m_count = 0;
  std::vector<OwnProfiles::Entry> m_entries;
};

}  // namespace cutaway::onnxruntime
