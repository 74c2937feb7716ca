#pragma once
// Logging: one logger on stderr, named "cutaway".
//
// Thread rule: any thread. Example: log::info("loaded {} nodes", count);  log::setLevel("debug");

#include <spdlog/spdlog.h>

#include "engine/base/result.h"

namespace cutaway::log {

// trace, debug, info, warn, error or off; the default is warn.
Result<void> setLevel(std::string_view level);

spdlog::logger& logger();

template <typename... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
  logger().debug(format, std::forward<Args>(args)...);
}
template <typename... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  logger().info(format, std::forward<Args>(args)...);
}
template <typename... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  logger().warn(format, std::forward<Args>(args)...);
}
template <typename... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  logger().error(format, std::forward<Args>(args)...);
}

}  // namespace cutaway::log
