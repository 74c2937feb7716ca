#pragma once
// Logging: messages with a level, a category and fields, for the terminal, a file (log_file.h) and whoever shows the
// latest ones (log_recent.h).
//
// The terminal gets warnings and errors unless setLevel() says otherwise. Messages are made only where somebody takes
// their level. Thread rule: any thread.
// Example: log::warn(log::Category::kStages, "the list of outputs is empty");
//          log::event(log::kInfo, log::Category::kFiles, "written", {{"file", log::path(file)}, {"bytes", size}});

#include <concepts>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include <spdlog/spdlog.h>

#include "engine/base/result.h"

namespace cutaway::log {

enum class Category : uint8_t { kProgram, kStages, kProviders, kKernels, kFiles, kHosts };
inline constexpr size_t kCategoryCount = 6;
// "program", "stages", "providers", "kernels", "files", "hosts".
std::string_view nameOf(Category category);

using Level = spdlog::level::level_enum;
inline constexpr Level kTrace = spdlog::level::trace, kDebug = spdlog::level::debug, kInfo = spdlog::level::info,
                       kWarn = spdlog::level::warn, kError = spdlog::level::err, kOff = spdlog::level::off;

// A fact of a message, written behind it as name=value.
struct Field {
  std::string_view name;
  std::string value;

  Field(std::string_view its, std::string_view text) : name(its), value(text) {}
  Field(std::string_view its, const char* text) : name(its), value(text) {}
  template <std::integral Number>
  Field(std::string_view its, Number number) : name(its), value(fmt::format("{}", number)) {}
  Field(std::string_view its, double number) : name(its), value(fmt::format("{:.3f}", number)) {}
};
// Nanoseconds as the field "ms".
Field milliseconds(int64_t timeNs);
// A file's whole path, for a field.
std::string path(const std::filesystem::path& file);

// trace, debug, info, warn, error or off, of the terminal and of a file; the default is warn there and info here.
Result<void> setLevel(std::string_view level);
Result<Level> levelOf(std::string_view name);
// Whether anybody takes messages of this level.
bool wanted(Level level);

void event(Level level, Category category, std::string_view text, std::initializer_list<Field> fields = {});

spdlog::logger& logger(Category category);
template <typename... Args>
void debug(Category category, fmt::format_string<Args...> format, Args&&... args) {
  logger(category).debug(format, std::forward<Args>(args)...);
}
template <typename... Args>
void info(Category category, fmt::format_string<Args...> format, Args&&... args) {
  logger(category).info(format, std::forward<Args>(args)...);
}
template <typename... Args>
void warn(Category category, fmt::format_string<Args...> format, Args&&... args) {
  logger(category).warn(format, std::forward<Args>(args)...);
}
template <typename... Args>
void error(Category category, fmt::format_string<Args...> format, Args&&... args) {
  logger(category).error(format, std::forward<Args>(args)...);
}

using Sink = std::shared_ptr<spdlog::sinks::sink>;
// Gives what stood in the terminal's place, with the level that the terminal has.
Sink exchangeTerminal(Sink sink);
// One that gets messages of its own level too, as others may read them (log_privacy.h). followsLevel: setLevel() is
// also for it.
void attach(Sink sink, bool followsLevel);
// After the level of an attached one changed.
void levelChanged();

}  // namespace cutaway::log
