#include "engine/base/cpu_quota.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

#include "engine/base/file_begin.h"

namespace cutaway {
namespace {

namespace fs = std::filesystem;

std::string firstLine(const fs::path& path) {
  std::string text = fileBegin(path).value_or("");
  text.erase(std::find(text.begin(), text.end(), '\n'), text.end());
  return text;
}

std::optional<int64_t> positiveNumber(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value <= 0) return std::nullopt;
  return value;
}

std::optional<int> coresOf(std::string_view quota, std::string_view period) {
  const auto quotaUs = positiveNumber(quota);
  const auto periodUs = positiveNumber(period);
  if (!quotaUs || !periodUs) return std::nullopt;  // "max" and -1 mean: no limit
  const int64_t cores = *quotaUs / *periodUs + (*quotaUs % *periodUs != 0 ? 1 : 0);
  return static_cast<int>(std::min<int64_t>(cores, 1 << 20));
}

std::optional<int> limitAt(const fs::path& group, bool version2) {
  if (!version2) return coresOf(firstLine(group / "cpu.cfs_quota_us"), firstLine(group / "cpu.cfs_period_us"));
  const std::string line = firstLine(group / "cpu.max");
  const size_t space = line.find(' ');
  if (space == std::string::npos) return std::nullopt;
  return coresOf(std::string_view(line).substr(0, space), std::string_view(line).substr(space + 1));
}

void tighten(std::optional<int>& limit, std::optional<int> other) {
  if (other) limit = limit ? std::min(*limit, *other) : *other;
}

// From the group up to the mount point. Inside a container the path may name groups that are not visible: missing files
// limit nothing.
std::optional<int> limitAlong(const fs::path& root, std::string_view groupPath, bool version2) {
  std::optional<int> limit = limitAt(root, version2);
  fs::path group = root;
  for (const fs::path& part : fs::path(groupPath).relative_path()) {
    if (part == "..") break;
    group /= part;
    tighten(limit, limitAt(group, version2));
  }
  return limit;
}

bool hasCpuController(std::string_view controllers) {
  while (!controllers.empty()) {
    const size_t comma = std::min(controllers.find(','), controllers.size());
    if (controllers.substr(0, comma) == "cpu") return true;
    controllers.remove_prefix(std::min(comma + 1, controllers.size()));
  }
  return false;
}

}  // namespace

std::optional<int> cpuQuota(const fs::path& cgroupRoot, std::string_view membership) {
  std::optional<int> limit;
  while (!membership.empty()) {
    const size_t newline = std::min(membership.find('\n'), membership.size());
    const std::string_view line = membership.substr(0, newline);
    membership.remove_prefix(std::min(newline + 1, membership.size()));
    // hierarchy number : controllers : path
    const size_t first = line.find(':');
    const size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string_view path = line.substr(second + 1);
    if (controllers.empty()) {
      tighten(limit, limitAlong(cgroupRoot, path, true));
    } else if (hasCpuController(controllers)) {
      tighten(limit, limitAlong(cgroupRoot / std::string(controllers), path, false));
      if (controllers != "cpu") tighten(limit, limitAlong(cgroupRoot / "cpu", path, false));
    }
  }
  return limit;
}

}  // namespace cutaway
