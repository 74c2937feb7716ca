#include "sweep/results/sweep_folder.h"

#include <cerrno>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/folder_entries.h"
#include "engine/base/printable.h"
#include "engine/base/read_text_file.h"
#include "engine/base/write_file.h"

namespace cutaway::sweep {

namespace {

constexpr int64_t kLargestJobsBytes = int64_t{4} * 1024 * 1024 * 1024;
constexpr size_t kBatch = 500;  // records in one transaction

std::string hostName() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace

SweepFolder SweepFolder::of(const std::filesystem::path& plan) {
  return SweepFolder(std::filesystem::absolute(plan).parent_path() / (plan.stem().string() + ".sweep"));
}

Result<void> SweepFolder::make() const {
  for (const std::filesystem::path& each : {records(), m_path / "scratch"}) {
    std::error_code error;
    std::filesystem::create_directories(each, error);
    if (error) return fail(writeFailure(each, error.value(), 0));
  }
  return {};
}

Result<FileDescriptor> SweepFolder::lock(int64_t waitMs) const {
  FileDescriptor file(::open(lockFile().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!file.valid()) return fail(writeFailure(lockFile(), errno, 0));
  const Stopwatch watch;
  while (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (watch.elapsedNs() >= waitMs * 1'000'000)
      return fail(ErrorCode::kFail, "'{}' is worked on by {}: wait for it, or end it with `sweep cancel`",
                  m_path.string(), holder());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const std::string text = fmt::format("process {} on {}\n", getpid(), hostName());
  if (ftruncate(file.get(), 0) != 0 || pwrite(file.get(), text.data(), text.size(), 0) < 0)
    return fail(writeFailure(lockFile(), errno, 0));
  return file;
}

std::string SweepFolder::holder() const {
  const FileDescriptor file(::open(lockFile().c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid() || flock(file.get(), LOCK_EX | LOCK_NB) == 0) return {};
  char text[512] = {};
  const ssize_t count = pread(file.get(), text, sizeof text - 1, 0);
  std::string_view words(text, count > 0 ? static_cast<size_t>(count) : 0);
  while (words.ends_with('\n'))
    words.remove_suffix(1);
  return words.empty() ? "another process" : printable(words);
}

Result<void> SweepFolder::writeJobs(const std::vector<Job>& jobs) const {
  Json list = Json::array();
  for (const Job& job : jobs)
    list.push_back(jobToJson(job));
  return writeFile(jobsFile(), list.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<std::vector<Job>> SweepFolder::readJobs() const {
  CUTAWAY_TRY(const std::string text,
              readTextFile(jobsFile(), {.what = "the list of jobs", .largestBytes = kLargestJobsBytes}));
  const Json list = Json::parse(text, nullptr, false);
  if (!list.is_array()) return fail(ErrorCode::kInvalidArgument, "'{}' is no list of jobs", jobsFile().string());
  std::vector<Job> jobs;
  for (const Json& each : list) {
    Result<Job> job = jobFromJson(each);
    if (!job)
      return fail(ErrorCode::kInvalidArgument, "'{}', job {}: {}", jobsFile().string(), jobs.size(),
                  job.error().message);
    jobs.push_back(*std::move(job));
  }
  return jobs;
}

std::set<std::string> SweepFolder::recordedKeys() const {
  std::set<std::string> keys;
  for (const std::filesystem::path& each : folderEntries(records())) {
    if (each.extension() == ".json" && isKey(each.stem().string())) keys.insert(each.stem().string());
  }
  return keys;
}

Result<Collected> collect(const SweepFolder& folder, Store& store) {
  CUTAWAY_TRY(const std::set<std::string> known, store.keys());
  Collected collected;
  std::vector<Record> batch;
  const auto flush = [&]() -> Result<void> {
    CUTAWAY_CHECK(store.addRecords(batch));
    collected.added += static_cast<int64_t>(batch.size());
    batch.clear();
    return {};
  };
  for (const std::string& key : folder.recordedKeys()) {
    if (known.contains(key)) continue;
    Result<Record> record = readRecord(folder.record(key));
    if (record) {
      batch.push_back(*std::move(record));
    } else {
      collected.rejected.push_back(record.error().message);
      std::error_code ignored;
      std::filesystem::rename(folder.record(key), folder.records() / (key + ".rejected"), ignored);
    }
    if (batch.size() >= kBatch) CUTAWAY_CHECK(flush());
  }
  CUTAWAY_CHECK(flush());
  return collected;
}

}  // namespace cutaway::sweep
