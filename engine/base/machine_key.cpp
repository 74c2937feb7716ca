#include "engine/base/machine_key.h"

#include <algorithm>
#include <array>

#include <spdlog/fmt/fmt.h>

#include "engine/base/file_begin.h"
#include "engine/base/hash.h"
#include "engine/base/parallel.h"

namespace cutaway {
namespace {

// Lines of a processor that say what it is; the others change from core to core or from moment to moment.
constexpr std::array<std::string_view, 10> kLasting{"vendor_id",   "cpu family", "model",           "model name",
                                                    "stepping",    "flags",      "CPU implementer", "CPU part",
                                                    "CPU variant", "Features"};

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

MachineKey machineOf(std::string_view cpuInfo, int cores) {
  MachineKey key{.processor = "unknown processor", .features = {}, .cores = cores};
  uint64_t hash = 0;
  while (!cpuInfo.empty()) {
    const size_t end = std::min(cpuInfo.find('\n'), cpuInfo.size());
    const std::string_view line = cpuInfo.substr(0, end);
    cpuInfo.remove_prefix(std::min(end + 1, cpuInfo.size()));
    if (line.empty()) break;  // the first core speaks for all
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view name = trimmed(line.substr(0, colon)), value = trimmed(line.substr(colon + 1));
    if (std::ranges::find(kLasting, name) == kLasting.end()) continue;
    if (name == "model name") key.processor = std::string(value);
    hash = hash64(value, hash64(name, hash));
  }
  key.features = fmt::format("{:016x}", hash);
  return key;
}

const MachineKey& thisMachine() {
  static const MachineKey key = [] { return machineOf(fileBegin("/proc/cpuinfo").value_or(""), availableThreads()); }();
  return key;
}

}  // namespace cutaway
