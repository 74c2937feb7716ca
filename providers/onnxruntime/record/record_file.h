#pragma once
// What a plug-in provider asked and answered, as a file that is opened on another machine. record/README.md describes
// the format "cutaway.record/1": JSON, one object a line.
//
// What is read is hostile: sizes, depth, kinds, places and numbers are checked, and the first thing that is wrong is
// told with its line. Thread rule: pure, apart from reading files. Example:
//   CUTAWAY_TRY(const Record record, readRecord("phone.record"));
//   if (const RecordedQuestion* const question = record.questionOf(0, print)) use(question->facts);

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "providers/onnxruntime/client/client.h"

namespace cutaway::onnxruntime {

inline constexpr const char* kRecordSchema = "cutaway.record/1";

// What a model asked about is known by: hashes of its ONNX bytes without weights, and of its weights (XXH64). The
// level is ONNX Runtime's, over what it was given.
struct ModelPrint {
  uint64_t graph = 0;
  uint64_t weights = 0;
  OptimizationLevel level = OptimizationLevel::kNone;
  bool operator==(const ModelPrint&) const = default;
};
ModelPrint printOf(const SessionRequest& request);

// A provider as it was made.
struct RecordedProvider {
  std::string name;  // "qnn"
  std::string title;
  std::string registration;
  std::string package;
  std::string version;
  bool isSimulator = false;
  TextPairs options;  // that the user gave
};

struct RecordedFailure {
  ErrorCode code = ErrorCode::kFail;
  std::string message;
};

// A model that the provider was asked about, and what came of it.
struct RecordedQuestion {
  int32_t provider = 0;  // place in Record::providers
  ModelPrint print;
  std::optional<RecordedFailure> failure{};  // the question could not be put: facts are empty
  AskedFacts facts;
  std::vector<LogLine> log;
  int64_t tookNs = 0;  // the way to the host process and back included
};

// A session of a group or a whole model.
struct RecordedSession {
  int32_t provider = -1;  // -1: of ONNX Runtime's own providers
  ModelPrint print;
  std::optional<RecordedFailure> failure{};
  std::vector<AssignedGroup> assignment;
  std::vector<LogLine> log;
  int64_t tookNs = 0;
  std::vector<int64_t> runNs;  // ONNX Runtime's call alone, of the first runs
  int64_t runs = 0;            // of all runs
};

struct Record {
  std::string program;    // that wrote it, with its version
  std::string date;       // "2026-11-23T17:09:19Z"
  std::string library{};  // version of ONNX Runtime
  std::vector<RecordedProvider> providers{};
  std::vector<RecordedQuestion> questions{};
  std::vector<RecordedSession> sessions{};

  // The last answer counts. nullptr: there is none.
  const RecordedQuestion* questionOf(int32_t provider, const ModelPrint& print) const;
  const RecordedSession* sessionOf(int32_t provider, const ModelPrint& print) const;
};

// INVALID_ARGUMENT naming the line and what is wrong; the errors of readTextFile().
Result<Record> readRecord(const std::filesystem::path& path);
Result<Record> parseRecord(std::string_view text);
std::string recordText(const Record& record);

}  // namespace cutaway::onnxruntime
