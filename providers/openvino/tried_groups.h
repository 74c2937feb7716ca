#pragma once
// Groups that were tried before: in this process, and, where trials took their time, in a file of the user's cache.
//
// The file has one line for each group that OpenVINO came through, its key in hexadecimal digits, the newest last. What
// else is in it equals no key; where it cannot be read or written groups are tried again. Groups that OpenVINO died of
// are not in it. Thread rule: any thread. Example: if (const auto found = triedGroups().find(key)) return *found;

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cutaway::openvino {

class TriedGroups {
 public:
  // Empty: this process alone remembers.
  explicit TriedGroups(std::filesystem::path file) : m_file(std::move(file)) {}

  // Of everything that the outcome follows from.
  static std::string keyOf(std::string_view everything);
  // What OpenVINO died of; empty: it came through. nullopt: not tried.
  std::optional<std::string> find(const std::string& key);
  // timeNs: of the trial. The file is written once trials that are not in it took kWorthWritingNs together.
  void add(const std::string& key, const std::string& problem, int64_t timeNs);
  static constexpr int64_t kWorthWritingNs = 100'000'000;

 private:
  void read();

  std::mutex m_mutex;
  std::filesystem::path m_file;
  bool m_isRead = false;
  std::unordered_map<std::string, std::string> m_problems;  // by key
  std::string m_unwritten;                                  // lines
  int64_t m_unwrittenNs = 0;
};

// Those of the program.
TriedGroups& triedGroups();

}  // namespace cutaway::openvino
