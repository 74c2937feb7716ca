#include "providers/onnxruntime/record/recording.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <mutex>

#include "engine/base/file_begin.h"
#include "engine/base/new_file.h"
#include "engine/base/write_file.h"

namespace cutaway::onnxruntime {

namespace {

// Of one session; the count goes on.
constexpr size_t kMostRunTimes = 1000;
constexpr std::string_view kRecordFamily = "\"cutaway.record/";

struct Recording {
  std::filesystem::path path;
  Record record;
  std::vector<SessionSettings> settings;  // of its providers
};

std::mutex recordingMutex;
std::unique_ptr<Recording> recording;
// So that a run without a recording asks for no lock.
std::atomic<bool> recordingRuns = false;

bool isAmong(const TextPairs& pairs, const TextPairs& all) {
  return std::ranges::all_of(pairs, [&](const auto& pair) { return std::ranges::find(all, pair) != all.end(); });
}

// Sessions of groups have some options more than the provider was made with.
bool isOf(const SessionSettings& provider, const SessionSettings& asked) {
  if (provider.providers.empty() || asked.providers.empty()) return false;
  const AppendedProvider& known = provider.providers.front();
  const AppendedProvider& used = asked.providers.front();
  return known.plugin.registration == used.plugin.registration && known.plugin.environment == used.plugin.environment &&
         isAmong(known.options, used.options) && isAmong(provider.keys, asked.keys);
}

// The one with most of its settings among those asked with; -1: none.
int32_t providerOf(const Recording& running, const SessionSettings& asked) {
  int32_t best = -1;
  size_t most = 0;
  for (size_t i = 0; i < running.settings.size(); ++i) {
    const SessionSettings& settings = running.settings[i];
    if (!isOf(settings, asked)) continue;
    const size_t count = settings.providers.front().options.size() + settings.keys.size();
    if (best >= 0 && count <= most) continue;
    best = static_cast<int32_t>(i);
    most = count;
  }
  return best;
}

std::string timeNow() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[32] = {};
  if (gmtime_r(&now, &parts) == nullptr || std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
    return {};
  return text;
}

constexpr size_t kHeadBytes = 512;  // more than the first line of a record has

// A slip of the keyboard must not put a record in the place of a model.
Result<void> checkIsRecord(const std::filesystem::path& path) {
  if (isPipeOrDevice(path)) return {};
  const std::string head = fileBegin(path, kHeadBytes).value_or("");
  if (head.empty() || head.find(kRecordFamily) != std::string::npos) return {};
  return fail(ErrorCode::kInvalidArgument,
              "'{}' is there and is no record of this program: give another name to --record", path.string());
}

// Everything but naming the file, so that what is there stays until there is something to keep.
Result<void> checkWritable(const std::filesystem::path& path, std::string_view text) {
  CUTAWAY_CHECK(refuseReadFile(path, {}));
  if (isPipeOrDevice(path)) return {};
  CUTAWAY_TRY(const std::unique_ptr<NewFile> file, NewFile::create(path, {}));
  CUTAWAY_CHECK(file->write(std::as_bytes(std::span(text.data(), text.size()))));
  return file->seal();
}

}  // namespace

Result<void> startRecording(const std::filesystem::path& path) {
  const std::lock_guard lock(recordingMutex);
  if (recording != nullptr)
    return fail(ErrorCode::kInvalidArgument, "providers are being recorded already, to '{}'", recording->path.string());
  auto started = std::make_unique<Recording>(
      Recording{.path = path,
                .record = {.program = fmt::format("cutaway {}", CUTAWAY_VERSION), .date = timeNow()},
                .settings = {}});
  CUTAWAY_CHECK(checkIsRecord(path));
  CUTAWAY_CHECK(checkWritable(path, recordText(started->record)));
  recording = std::move(started);
  recordingRuns = true;
  return {};
}

Result<void> finishRecording() {
  const std::lock_guard lock(recordingMutex);
  if (recording == nullptr) return {};
  const std::unique_ptr<Recording> finished = std::move(recording);
  recordingRuns = false;
  return writeFile(finished->path, recordText(finished->record));
}

bool isRecording() {
  return recordingRuns;
}

void recordProvider(const SessionSettings& settings, RecordedProvider provider) {
  if (!isRecording()) return;
  const std::lock_guard lock(recordingMutex);
  if (recording == nullptr) return;
  const bool isKnown = std::ranges::any_of(recording->settings, [&](const SessionSettings& known) {
    return isOf(known, settings) && isOf(settings, known);
  });
  if (isKnown) return;
  recording->settings.push_back(settings);
  recording->record.providers.push_back(std::move(provider));
}

void recordLibrary(const std::string& version) {
  if (!isRecording()) return;
  const std::lock_guard lock(recordingMutex);
  if (recording != nullptr) recording->record.library = version;
}

void recordQuestion(const SessionRequest& request, const Result<AskedFacts>& facts, const std::vector<LogLine>& log,
                    int64_t tookNs) {
  if (!isRecording() || (!facts && facts.error().code == ErrorCode::kModelLoadCanceled)) return;
  RecordedQuestion question{.provider = -1,
                            .print = printOf(request),
                            .failure = {},
                            .facts = facts ? *facts : AskedFacts{},
                            .log = log,
                            .tookNs = tookNs};
  if (!facts) question.failure = RecordedFailure{facts.error().code, facts.error().message};
  const std::lock_guard lock(recordingMutex);
  if (recording == nullptr) return;
  question.provider = providerOf(*recording, request.settings);
  // Nobody else asks questions than providers that were told of.
  if (question.provider >= 0) recording->record.questions.push_back(std::move(question));
}

int64_t recordSession(const SessionRequest& request, const SessionFacts* facts, const Error* error,
                      const std::vector<LogLine>& log, int64_t tookNs) {
  if (!isRecording() || (error != nullptr && error->code == ErrorCode::kModelLoadCanceled)) return -1;
  RecordedSession session{.provider = -1,
                          .print = printOf(request),
                          .failure = {},
                          .assignment = facts != nullptr ? facts->assignment : std::vector<AssignedGroup>{},
                          .log = log,
                          .tookNs = tookNs,
                          .runNs = {},
                          .runs = 0};
  if (error != nullptr) session.failure = RecordedFailure{error->code, error->message};
  const std::lock_guard lock(recordingMutex);
  if (recording == nullptr) return -1;
  session.provider = providerOf(*recording, request.settings);
  recording->record.sessions.push_back(std::move(session));
  return static_cast<int64_t>(recording->record.sessions.size()) - 1;
}

void recordRuns(int64_t session, const std::vector<int64_t>& runNs) {
  if (!isRecording() || session < 0) return;
  const std::lock_guard lock(recordingMutex);
  if (recording == nullptr || session >= static_cast<int64_t>(recording->record.sessions.size())) return;
  RecordedSession& recorded = recording->record.sessions[static_cast<size_t>(session)];
  recorded.runs += static_cast<int64_t>(runNs.size());
  const size_t room = kMostRunTimes - std::min(recorded.runNs.size(), kMostRunTimes);
  const auto kept = static_cast<std::ptrdiff_t>(std::min(room, runNs.size()));
  recorded.runNs.insert(recorded.runNs.end(), runNs.begin(), runNs.begin() + kept);
}

}  // namespace cutaway::onnxruntime
