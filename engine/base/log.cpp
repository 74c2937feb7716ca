#include "engine/base/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>

namespace cutaway::log {

spdlog::logger& logger() {
  // Kept out of spdlog's global registry, so that a program that embeds the engine keeps its own loggers.
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made = std::make_shared<spdlog::logger>("cutaway", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made->set_level(spdlog::level::warn);
    return made;
  }();
  return *instance;
}

Result<void> setLevel(std::string_view level) {
  struct Row {
    std::string_view name;
    spdlog::level::level_enum level;
  };
  static constexpr Row kRows[] = {{"trace", spdlog::level::trace}, {"debug", spdlog::level::debug},
                                  {"info", spdlog::level::info},   {"warn", spdlog::level::warn},
                                  {"error", spdlog::level::err},   {"off", spdlog::level::off}};
  for (const Row& row : kRows) {
    if (row.name == level) {
      logger().set_level(row.level);
      return {};
    }
  }
  return fail(ErrorCode::kInvalidArgument, "log level '{}' is none of trace, debug, info, warn, error, off", level);
}

}  // namespace cutaway::log
