#include "engine/base/log_file.h"

#include <cstdio>

#include <spdlog/sinks/rotating_file_sink.h>
#include <sys/stat.h>

#include "engine/base/file_begin.h"
#include "engine/base/log.h"

namespace cutaway::log {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstLine = "# log of cutaway, form 1";

Result<void> checkIsLog(const fs::path& file) {
  std::error_code problem;
  const fs::file_status status = fs::status(file, problem);
  if (status.type() == fs::file_type::not_found) return {};
  std::string line;
  if (status.type() == fs::file_type::regular) {
    if (fs::file_size(file, problem) == 0 && !problem) return {};
    line = fileBegin(file, kFirstLine.size()).value_or("");
  }
  if (line == kFirstLine) return {};
  return fail(ErrorCode::kInvalidArgument,
              "'{}' is there and is no log of this program: give another name to --log-file", file.string());
}

void beginFile(std::FILE* stream) {
  struct stat status{};
  if (::fstat(::fileno(stream), &status) != 0 || status.st_size != 0) return;
  (void)std::fprintf(stream, "%.*s\n", static_cast<int>(kFirstLine.size()), kFirstLine.data());
}

}  // namespace

Result<void> openFile(const fs::path& file, const FileLimits& limits) {
  using RotatingSink = spdlog::sinks::rotating_file_sink_mt;
  std::error_code problem;  // the sink would make folders
  if (const fs::path folder = file.parent_path(); !folder.empty() && !fs::is_directory(folder, problem))
    return fail(ErrorCode::kFail, "the log '{}' cannot be written: there is no folder '{}'", file.string(),
                folder.string());
  for (size_t i = 0; i <= limits.older; ++i)
    CUTAWAY_CHECK(checkIsLog(RotatingSink::calc_filename(file.string(), i)));
  try {
    spdlog::file_event_handlers handlers;
    handlers.after_open = [](const spdlog::filename_t&, std::FILE* stream) { beginFile(stream); };
    auto sink = std::make_shared<RotatingSink>(file.string(), limits.bytes, limits.older, false, handlers);
    sink->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %n %v");
    sink->set_level(kInfo);
    attach(std::move(sink), true);
  } catch (const spdlog::spdlog_ex& exception) {
    return fail(ErrorCode::kFail, "the log '{}' cannot be written: {}", file.string(), exception.what());
  }
  return {};
}

}  // namespace cutaway::log
