#include "engine/base/log.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <vector>

#include <spdlog/sinks/dist_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include "engine/base/log_privacy.h"
#include "engine/base/printable.h"

namespace cutaway::log {
namespace {

constexpr std::array<std::string_view, kCategoryCount> kNames = {"program", "stages", "providers",
                                                                 "kernels", "files",  "hosts"};

constexpr size_t kLongestLine = 900;  // on a terminal, behind time and category

std::string forTerminal(std::string_view text) {
  return shortenedText(printable(text), kLongestLine);
}

// Hands messages on as they may be read there.
class CleaningSink : public spdlog::sinks::sink {
 public:
  using Clean = std::string (*)(std::string_view text);
  CleaningSink(Sink inner, Clean clean) : m_inner(std::move(inner)), m_clean(clean) {}
  void log(const spdlog::details::log_msg& message) override {
    const std::string text = m_clean({message.payload.data(), message.payload.size()});
    spdlog::details::log_msg cleaned = message;
    cleaned.payload = spdlog::string_view_t(text.data(), text.size());
    m_inner->log(cleaned);
  }
  void flush() override { m_inner->flush(); }
  void set_pattern(const std::string& pattern) override { m_inner->set_pattern(pattern); }
  void set_formatter(std::unique_ptr<spdlog::formatter> formatter) override {
    m_inner->set_formatter(std::move(formatter));
  }

 private:
  Sink m_inner;
  Clean m_clean;
};

struct Attached {
  Sink own, front;
  bool followsLevel = false;
};

struct Loggers {
  std::mutex mutex;
  Sink terminal = std::make_shared<CleaningSink>(std::make_shared<spdlog::sinks::stderr_color_sink_mt>(), forTerminal);
  std::vector<Attached> attached;
  std::optional<Level> asked;
  std::shared_ptr<spdlog::sinks::dist_sink_mt> all = std::make_shared<spdlog::sinks::dist_sink_mt>();
  std::array<std::shared_ptr<spdlog::logger>, kCategoryCount> of;

  Loggers() {
    // Kept out of spdlog's global registry, so that a program that embeds the engine keeps its own loggers.
    for (size_t i = 0; i < kCategoryCount; ++i) {
      of[i] = std::make_shared<spdlog::logger>(std::string(kNames[i]), all);
      of[i]->flush_on(kTrace);
    }
    terminal->set_pattern("[%Y-%m-%d %H:%M:%S.%e] [cutaway] [%^%l%$] %n: %v");
    terminal->set_level(kWarn);
    settle();
  }

  void settle() {
    std::vector<Sink> sinks = {terminal};
    Level lowest = terminal->level();
    for (const Attached& each : attached) {
      each.front->set_level(each.own->level());
      lowest = std::min(lowest, each.own->level());
      sinks.push_back(each.front);
    }
    all->set_sinks(std::move(sinks));
    for (const auto& logger : of)
      logger->set_level(lowest);
  }
};

// Never destroyed: threads that were given up may write until the program ends.
Loggers& loggers() {
  static Loggers& instance = *new Loggers;
  return instance;
}

void addValue(std::string& line, std::string_view value) {
  if (!value.empty() && value.find_first_of(" \t\"=") == std::string_view::npos) {
    line += value;
    return;
  }
  line += '"';
  for (const char letter : value) {
    if (letter == '"' || letter == '\\') line += '\\';
    line += letter;
  }
  line += '"';
}

}  // namespace

std::string_view nameOf(Category category) {
  return kNames[static_cast<size_t>(category)];
}

Field milliseconds(int64_t timeNs) {
  return {"ms", static_cast<double>(timeNs) / 1e6};
}

std::string path(const std::filesystem::path& file) {
  std::error_code problem;
  const std::filesystem::path whole = std::filesystem::absolute(file, problem);
  return (problem ? file : whole).lexically_normal().string();
}

spdlog::logger& logger(Category category) {
  return *loggers().of[static_cast<size_t>(category)];
}

bool wanted(Level level) {
  return logger(Category::kProgram).should_log(level);
}

void event(Level level, Category category, std::string_view text, std::initializer_list<Field> fields) {
  if (!wanted(level)) return;
  std::string line(text);
  for (const Field& field : fields) {
    line += ' ';
    line += field.name;
    line += '=';
    addValue(line, field.value);
  }
  logger(category).log(level, spdlog::string_view_t(line.data(), line.size()));
}

Result<Level> levelOf(std::string_view name) {
  struct Row {
    std::string_view name;
    Level level;
  };
  static constexpr Row kRows[] = {{"trace", kTrace}, {"debug", kDebug}, {"info", kInfo},
                                  {"warn", kWarn},   {"error", kError}, {"off", kOff}};
  for (const Row& row : kRows)
    if (row.name == name) return row.level;
  return fail(ErrorCode::kInvalidArgument, "log level '{}' is none of trace, debug, info, warn, error, off", name);
}

Result<void> setLevel(std::string_view name) {
  CUTAWAY_TRY(const Level level, levelOf(name));
  Loggers& all = loggers();
  const std::lock_guard lock(all.mutex);
  all.asked = level;
  all.terminal->set_level(level);
  for (const Attached& each : all.attached)
    if (each.followsLevel) each.own->set_level(level);
  all.settle();
  return {};
}

Sink exchangeTerminal(Sink sink) {
  Loggers& all = loggers();
  const std::lock_guard lock(all.mutex);
  sink->set_level(all.terminal->level());
  std::swap(all.terminal, sink);
  all.settle();
  return sink;
}

void attach(Sink sink, bool followsLevel) {
  Loggers& all = loggers();
  const std::lock_guard lock(all.mutex);
  if (followsLevel && all.asked) sink->set_level(*all.asked);
  Sink front = std::make_shared<CleaningSink>(sink, forOthers);
  all.attached.push_back({std::move(sink), std::move(front), followsLevel});
  all.settle();
}

void levelChanged() {
  Loggers& all = loggers();
  const std::lock_guard lock(all.mutex);
  all.settle();
}

}  // namespace cutaway::log
