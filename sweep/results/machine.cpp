#include "sweep/results/machine.h"

#include <cmath>
#include <fstream>

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "engine/base/folder_entries.h"

namespace cutaway::sweep {

namespace {

// What stands behind "NAME :" in a file of the kernel's; empty: there is no such line.
std::string lineOf(const std::filesystem::path& file, std::string_view name) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(name)) continue;
    const size_t colon = line.find(':');
    const size_t begin = colon == std::string::npos ? colon : line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return {};
}

std::string gpuNames() {
  std::string names;
  for (const std::filesystem::path& gpu : folderEntries("/proc/driver/nvidia/gpus")) {
    if (const std::string name = lineOf(gpu / "information", "Model"); !name.empty())
      names += (names.empty() ? "" : " + ") + name;
  }
  return names;
}

}  // namespace

std::string Machine::className() const {
  const double gigabytes = std::round(static_cast<double>(memoryBytes) / 1e9);
  return fmt::format("{}, {}, {} cores, {:.0f} GB{}{}", architecture, processor, cores, gigabytes,
                     gpus.empty() ? "" : ", ", gpus);
}

Machine thisMachine() {
  Machine machine;
  utsname names{};
  if (uname(&names) == 0) {
    machine.host = names.nodename;
    machine.architecture = names.machine;
    machine.system = fmt::format("{} {}", names.sysname, names.release);
  }
  machine.processor = lineOf("/proc/cpuinfo", "model name");
  if (machine.processor.empty()) machine.processor = "unknown processor";
  cpu_set_t allowed;
  machine.cores = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
  machine.memoryBytes = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  machine.gpus = gpuNames();
  return machine;
}

Json machineToJson(const Machine& machine) {
  return {{"host", machine.host},
          {"architecture", machine.architecture},
          {"processor", machine.processor},
          {"system", machine.system},
          {"gpus", machine.gpus},
          {"cores", machine.cores},
          {"memory_bytes", machine.memoryBytes}};
}

Machine machineFromJson(const Json& json) {
  Machine machine;
  json.at("host").get_to(machine.host);
  json.at("architecture").get_to(machine.architecture);
  json.at("processor").get_to(machine.processor);
  json.at("system").get_to(machine.system);
  json.at("gpus").get_to(machine.gpus);
  json.at("cores").get_to(machine.cores);
  json.at("memory_bytes").get_to(machine.memoryBytes);
  return machine;
}

}  // namespace cutaway::sweep
