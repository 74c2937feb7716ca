#pragma once
// Keeps what providers in host processes are asked and answer, from start to finish, as a record file.
//
// Whoever starts a recording finishes it; while one runs, each host tells it of its requests. A request that the user
// cancels is not kept. Thread rule: any thread. Example:
//   CUTAWAY_CHECK(startRecording("phone.record"));   ... sessions ...   CUTAWAY_CHECK(finishRecording());

#include <filesystem>

#include "providers/onnxruntime/record/record_file.h"

namespace cutaway::onnxruntime {

// A place that cannot be written is told before anything is asked; what is there stays until finishRecording(). Errors:
// those of writeFile(); INVALID_ARGUMENT: one runs already, or another file than a record is there.
Result<void> startRecording(const std::filesystem::path& path);
// The file, whole; nothing without a recording. Errors: those of writeFile().
Result<void> finishRecording();
bool isRecording();

// For hosts: what came of a request. `settings` lead to the provider, where it is one of those told of before.
void recordProvider(const SessionSettings& settings, RecordedProvider provider);
void recordLibrary(const std::string& version);
void recordQuestion(const SessionRequest& request, const Result<AskedFacts>& facts, const std::vector<LogLine>& log,
                    int64_t tookNs);
// The session's place in the record, for its runs; -1: it is not kept. A created one has facts, a refused one an error.
int64_t recordSession(const SessionRequest& request, const SessionFacts* facts, const Error* error,
                      const std::vector<LogLine>& log, int64_t tookNs);
void recordRuns(int64_t session, const std::vector<int64_t>& runNs);

}  // namespace cutaway::onnxruntime
