#pragma once
// The provider's options, read and checked, and what they mean in OpenVINO's own properties.
//
// Thread rule: plain values. Example: CUTAWAY_TRY(const OpenvinoOptions options, readOptions(map, devices));

#include <string>
#include <vector>

#include "engine/provider/execution_provider.h"
#include "providers/openvino/bridge/bridge.h"

namespace cutaway::openvino {

struct OpenvinoOptions {
  std::string device = "CPU";
  std::string precision = "f32";  // f32, f16, bf16: f32 so that results agree with other providers
  std::string performanceHint;    // latency, throughput, cumulative_throughput; empty: OpenVINO's default
  std::string cacheFolder;
  int64_t threads = 0;  // 0: the session's
  int64_t streams = 0;  // 0: OpenVINO's default
  int64_t minimumNodes = 3;
  int64_t maximumNodes =
      4000;  // OpenVINO's compile time grows faster than the group from about there on; Cancel is heard between groups
  bool dynamicShapes = true;
  bool isolate = true;  // questions go to a process of their own, which may die of them
};

// INVALID_ARGUMENT naming the option, the value seen, and what is allowed.
Result<OpenvinoOptions> readOptions(const ProviderOptions& options, const std::vector<std::string>& devices);
// `threads`: of the session, used when the options give none.
CompileSettings compileSettings(const OpenvinoOptions& options, int threads);

}  // namespace cutaway::openvino
