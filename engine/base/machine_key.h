#pragma once
// Which machine a measurement speaks of: its processor, what that can do, and the cores this process may use.
//
// Thread rule: any thread; the machine is read once. Example: record.machine = thisMachine();

#include <string>
#include <string_view>

namespace cutaway {

struct MachineKey {
  std::string processor;  // "AMD EPYC 9R14", as the system names it; "unknown processor" where it does not
  std::string features;   // 16 hexadecimal digits over the processor's family, model, stepping and flags
  int cores = 0;          // that this process may use (affinity and quota)
  bool operator==(const MachineKey&) const = default;
};

// cpuInfo: the text of /proc/cpuinfo.
MachineKey machineOf(std::string_view cpuInfo, int cores);
const MachineKey& thisMachine();

}  // namespace cutaway
