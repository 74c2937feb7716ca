#include "providers/cuda/options.h"

namespace cutaway::cuda {
namespace {

constexpr const char* kKnown =
    "device, backend, tf32, nhwc, fuse, graphs, blocking, search, cache, memory_limit, groups, strict, blocks, "
    "libraries, fail";

Result<int64_t> readNumber(const std::string& key, const std::string& value) {
  const bool digits = !value.empty() && value.size() < 19 && value.find_first_not_of("0123456789") == std::string::npos;
  if (!digits) return fail(ErrorCode::kInvalidArgument, "provider cuda: {}={}: a whole number is wanted", key, value);
  return std::stoll(value);
}

Result<void> readSwitch(const std::string& key, const std::string& value, bool& target) {
  if (value != "0" && value != "1")
    return fail(ErrorCode::kInvalidArgument, "provider cuda: {}={}: 0 or 1 is wanted", key, value);
  target = value == "1";
  return {};
}

}  // namespace

Result<CudaOptions> readOptions(const ProviderOptions& options) {
  CudaOptions read;
  const std::map<std::string, bool*> switches{{"tf32", &read.tf32},          {"nhwc", &read.nhwc},
                                              {"fuse", &read.fuse},          {"graphs", &read.recordSegments},
                                              {"blocking", &read.blocking},  {"search", &read.search},
                                              {"groups", &read.groups},      {"strict", &read.strict},
                                              {"libraries", &read.libraries}};
  for (const auto& [key, value] : options) {
    if (const auto found = switches.find(key); found != switches.end()) {
      CUTAWAY_CHECK(readSwitch(key, value, *found->second));
    } else if (key == "device") {
      CUTAWAY_TRY(const int64_t number, readNumber(key, value));
      if (number > 63)
        return fail(ErrorCode::kInvalidArgument, "provider cuda: device={}: there are no more than 64", value);
      read.device = static_cast<int>(number);
    } else if (key == "backend") {
      if (value != "cuda" && value != "emulator")
        return fail(ErrorCode::kInvalidArgument, "provider cuda: backend={}: cuda or emulator is wanted", value);
      read.backend = value;
    } else if (key == "blocks") {
      if (value != "single" && value != "forward" && value != "backward")
        return fail(ErrorCode::kInvalidArgument, "provider cuda: blocks={}: single, forward or backward is wanted",
                    value);
      read.blocks = value;
    } else if (key == "cache") {
      read.cacheFolder = value;
    } else if (key == "memory_limit") {
      CUTAWAY_TRY(read.memoryLimitBytes, readNumber(key, value));
    } else if (key == "fail") {
      read.failures = value;
    } else {
      return fail(ErrorCode::kInvalidArgument, "provider cuda has no option '{}'; it has {}", key, kKnown);
    }
  }
  return read;
}

}  // namespace cutaway::cuda
