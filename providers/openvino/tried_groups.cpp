#include "providers/openvino/tried_groups.h"

#include <algorithm>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "engine/base/cache_folder.h"
#include "engine/base/file_begin.h"
#include "engine/base/hash.h"
#include "engine/base/write_file.h"

namespace cutaway::openvino {

namespace {

namespace fs = std::filesystem;

constexpr size_t kDigits = 32, kLineBytes = kDigits + 1;
constexpr size_t kMostLines = 4096;
// In this process; beyond it the memory starts anew.
constexpr size_t kMostRemembered = 100'000;

// Whole lines, the newest that there is room for; empty: something else lies there.
std::string linesOf(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return {};
  std::string lines = fileBegin(file, kMostLines * kLineBytes).value_or("");
  lines.erase(lines.size() / kLineBytes * kLineBytes);
  for (size_t end = kDigits; end < lines.size(); end += kLineBytes)
    if (lines[end] != '\n') return {};
  return lines;
}

}  // namespace

std::string TriedGroups::keyOf(std::string_view everything) {
  return fmt::format("{:016x}{:016x}", hash64(everything, 1), hash64(everything, 2));
}

void TriedGroups::read() {
  if (std::exchange(m_isRead, true) || m_file.empty()) return;
  const std::string lines = linesOf(m_file);
  for (size_t at = 0; at < lines.size(); at += kLineBytes)
    m_problems.try_emplace(lines.substr(at, kDigits));
}

std::optional<std::string> TriedGroups::find(const std::string& key) {
  const std::lock_guard lock(m_mutex);
  read();
  const auto found = m_problems.find(key);
  return found == m_problems.end() ? std::optional<std::string>() : found->second;
}

void TriedGroups::add(const std::string& key, const std::string& problem, int64_t timeNs) {
  const std::lock_guard lock(m_mutex);
  if (m_problems.size() >= kMostRemembered) m_problems.clear();
  m_problems[key] = problem;
  if (!problem.empty() || m_file.empty()) return;
  m_unwritten += key + '\n';
  m_unwrittenNs += timeNs;
  if (m_unwrittenNs < kWorthWritingNs) return;
  std::error_code ignored;
  fs::create_directories(m_file.parent_path(), ignored);
  std::string lines = linesOf(m_file);  // others write to it, too
  if (lines.size() >= kMostLines * kLineBytes) lines.erase(0, lines.size() / 2 / kLineBytes * kLineBytes);
  (void)writeFile(m_file, lines + std::exchange(m_unwritten, {}));
  m_unwrittenNs = 0;
}

TriedGroups& triedGroups() {
  static auto* const groups = [] {
    const fs::path folder = userCacheFolder("openvino");
    return new TriedGroups(folder.empty() ? fs::path() : folder / "tried");
  }();
  return *groups;
}

}  // namespace cutaway::openvino
