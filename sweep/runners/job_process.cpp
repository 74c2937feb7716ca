#include "sweep/runners/job_process.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>

#include "sweep/plan/model_hash.h"
#include "sweep/results/findings.h"

#include "engine/base/clock.h"
#include "engine/base/printable.h"
#include "engine/base/read_text_file.h"
#include "engine/base/write_file.h"

namespace cutaway::sweep {

namespace {

// What cutaway-cli's exit codes mean (its README).
enum ExitCode : int {
  kDone = 0,
  kCheckFailed = 1,
  kUsage = 2,
  kBadModel = 3,
  kRefused = 4,
  kNotWritten = 6,
  kCancelled = 130
};

constexpr int64_t kLargestReport = int64_t{1} * 1024 * 1024 * 1024;
constexpr std::streamoff kLastWords = 2000;

int64_t nowMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Outcome outcomeOfCode(int code) {
  switch (code) {
    case kDone:
      return Outcome::kOk;
    case kCheckFailed:
      return Outcome::kCheckFailed;
    case kUsage:
    case kBadModel:
      return Outcome::kBadModel;
    case kRefused:
      return Outcome::kRefused;
    default:
      return Outcome::kCrashed;
  }
}

}  // namespace

Result<Program> askProgram(const std::string& path) {
  CUTAWAY_TRY(const std::string text, outputOf({path, "--version"}, 60));
  std::string version;
  size_t begin = 0;
  for (int line = 0; line < 2 && begin < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    version += (version.empty() ? "" : ", ") + text.substr(begin, end - begin);
    begin = end + 1;
  }
  if (version.empty()) return fail(ErrorCode::kFail, "'{} --version' says nothing: is it cutaway-cli?", path);
  return Program{path, printable(version)};
}

Result<void> ModelWatch::check(const Job& job) {
  const bool withTestData = job.measure.kind == MeasureKind::kCheck;
  std::error_code error;
  const auto time = std::filesystem::last_write_time(job.model, error);
  if (error) return fail(ErrorCode::kNoSuchFile, "the model '{}' is gone", job.model.string());
  Seen& seen = m_seen[{job.model, withTestData}];
  if (seen.hash.empty() || seen.time != time) {
    CUTAWAY_TRY(ModelBytes bytes, hashModel(job.model, withTestData));
    seen = {time, std::move(bytes.hash)};
  }
  if (seen.hash == job.modelHash) return {};
  return fail(ErrorCode::kFail, "the model '{}' has changed since the jobs were made: `sweep resume` makes them anew",
              job.model.string());
}

Result<std::unique_ptr<JobProcess>> JobProcess::start(const Job& job, const Program& program, const SweepFolder& folder,
                                                      const Machine& machine, ModelWatch& models) {
  CUTAWAY_CHECK(models.check(job));
  std::unique_ptr<JobProcess> process(new JobProcess(job, program, folder, machine, models));
  CUTAWAY_CHECK(process->prepare());
  CUTAWAY_CHECK(process->startCommand());
  return process;
}

JobProcess::~JobProcess() {
  m_child.reset();
  std::error_code ignored;
  std::filesystem::remove_all(scratch(), ignored);
}

Result<void> JobProcess::prepare() {
  std::error_code error;
  std::filesystem::remove_all(scratch(), error);  // of an earlier attempt that was killed
  std::filesystem::create_directories(scratch(), error);
  if (error) return fail(writeFailure(scratch(), error.value(), 0));
  CUTAWAY_CHECK(writeFile(configurationFile(scratch()), configurationText(m_job.settings)));
  if (m_job.reference.is_object())
    CUTAWAY_CHECK(writeFile(referenceFile(scratch()), configurationText(m_job.reference)));
  m_commands = commandsOf(m_job, scratch());
  m_record.key = m_job.key;
  m_record.modelHash = m_job.modelHash;
  m_record.program = m_program.version;
  m_record.machine = m_machine;
  m_record.startedMs = nowMs();
  m_startNs = nowNs();
  return {};
}

Result<void> JobProcess::startCommand() {
  std::vector<std::string> command = m_commands[m_next].arguments;
  command.insert(command.begin(), m_program.path);
  CUTAWAY_TRY(ChildProcess child, ChildProcess::start(command, {.output = (scratch() / "output.txt").string(),
                                                                .errors = (scratch() / "errors.txt").string(),
                                                                .folder = scratch().string()}));
  m_child = std::move(child);
  return {};
}

bool JobProcess::isTimedOut() const {
  return static_cast<double>(nowNs() - m_startNs) > m_job.limits.timeoutSeconds * 1e9;
}

bool JobProcess::isOver() {
  if (!m_child) return true;
  const std::optional<ChildExit> exit = m_child->ended();
  if (!exit && !isTimedOut()) return false;
  m_child.reset();
  if (!exit) {
    m_record.outcome = Outcome::kTimeout;
    m_record.message =
        fmt::format("{} did not end within {:g} s", m_commands[m_next].name, m_job.limits.timeoutSeconds);
    return true;
  }
  m_record.peakBytes = std::max(m_record.peakBytes, exit->peakBytes);
  read(*exit);
  ++m_next;
  if (!m_open.empty() || m_record.outcome != Outcome::kOk || m_next == m_commands.size()) return true;
  if (const Result<void> started = startCommand(); !started) {
    m_open = started.error().message;
    return true;
  }
  return false;
}

std::string JobProcess::lastWords() const {
  std::ifstream stream(scratch() / "errors.txt", std::ios::ate | std::ios::binary);
  if (!stream) return {};
  const std::streamoff size = stream.tellg();
  stream.seekg(std::max<std::streamoff>(0, size - kLastWords));
  std::string text(std::istreambuf_iterator<char>(stream), {});
  while (!text.empty() && std::strchr(" \n\r\t", text.back()) != nullptr)
    text.pop_back();
  return printable(text);
}

void JobProcess::read(const ChildExit& exit) {
  const JobCommand& command = m_commands[m_next];
  m_record.exitCode = exit.code;
  m_record.signal = exit.signal;
  if (exit.signal == 0 && (exit.code == kCannotStart || exit.code == kCancelled || exit.code == kNotWritten)) {
    m_diskIsFull = exit.code == kNotWritten;
    m_open = exit.code == kCancelled ? "it was cancelled" : lastWords();
    if (m_open.empty()) m_open = fmt::format("{} ended with code {}", command.name, exit.code);
    return;
  }
  m_record.outcome = exit.signal != 0 ? Outcome::kCrashed : outcomeOfCode(exit.code);
  if (m_record.outcome != Outcome::kOk) m_record.message = lastWords();
  if (exit.signal != 0)
    m_record.message =
        fmt::format("{}: signal {} ({}) {}", command.name, exit.signal, strsignal(exit.signal), m_record.message);
  if (m_record.outcome == Outcome::kOk || m_record.outcome == Outcome::kCheckFailed) readReport(command);
}

void JobProcess::readReport(const JobCommand& command) {
  const Result<std::string> text =
      readTextFile(reportFile(scratch(), command), {.what = "the report", .largestBytes = kLargestReport});
  const Json report = text ? Json::parse(*text, nullptr, false) : Json();
  Result<void> added = text ? Result<void>() : fail(text.error());
  if (text && !report.is_object()) added = fail(ErrorCode::kInvalidArgument, "its report is no JSON object");
  if (added) added = addFindings(command.name, report, m_record.findings);
  if (added) return;
  m_record.outcome = Outcome::kRubbish;
  m_record.message = fmt::format("{}: {}", command.name, printable(added.error().message));
}

JobEnd JobProcess::finish() {
  if (m_open.empty()) {
    if (const Result<void> same = m_models.check(m_job); !same) m_open = same.error().message;
  }
  if (!m_open.empty()) return {std::nullopt, m_open, m_diskIsFull};
  m_record.wallSeconds = static_cast<double>(nowNs() - m_startNs) / 1e9;
  if (const Result<void> written = writeRecord(m_folder.record(m_job.key), m_record); !written)
    return {std::nullopt, written.error().message, true};
  return {m_record, "", false};
}

}  // namespace cutaway::sweep
