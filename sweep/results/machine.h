#pragma once
// The machine that a job ran on. Figures that depend on it are compared within one class only.
//
// Thread rule: pure apart from the system's files. Example: record.machine = thisMachine();

#include <cstdint>
#include <string>

#include "sweep/plan/plan.h"

#include "engine/base/result.h"

namespace cutaway::sweep {

struct Machine {
  std::string host, architecture, processor, system, gpus;
  int64_t cores = 0, memoryBytes = 0;

  // "x86_64, AMD EPYC 7B13, 2 cores, 24 GB": equal for machines whose times may be compared.
  std::string className() const;
};

Machine thisMachine();
Json machineToJson(const Machine& machine);
Machine machineFromJson(const Json& json);  // throws Json::exception

}  // namespace cutaway::sweep
