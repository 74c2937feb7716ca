#pragma once
// The messages about a session that is there: its runs, its profile, its memory (messages.h has the table of all).
//
// Thread rule: plain values. Example: const std::string body = toBytes(RunSession{.session = 1});

#include "providers/onnxruntime/protocol/archive.h"
#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

struct RunValue {
  uint32_t slot = 0;  // of the session's inputs or outputs
  int32_t element = 0;
  std::vector<int64_t> dims;
  MemoryPlace place;  // without memory: an output that the library places itself
};
struct RunSession {
  uint64_t session = 0;
  uint32_t runs = 1;
  bool profile = false;
  std::vector<RunValue> inputs;
  std::vector<RunValue> outputs;
};
struct RanValue {
  ValueKind kind = ValueKind::kTensor;
  int32_t element = 0;
  std::vector<int64_t> dims;
  uint64_t offset = 0;  // in the memory that comes with the reply
  uint64_t sizeBytes = 0;
};
struct RanSession {
  std::vector<int64_t> runNs;     // of each run, the library's call alone
  std::vector<RanValue> results;  // of outputs without a place, in the order asked
  uint64_t resultBytes = 0;
  uint64_t profileBytes = 0;
};
struct SessionNumber {
  uint64_t session = 0;
};
struct EndedProfile {
  uint64_t profileBytes = 0;
};
struct MemoryFacts {
  TextPairs statistics;
};

template <typename A, Describes<MemoryPlace> T>
void describe(A& archive, T& m) {
  archive(m.memory, m.offset, m.sizeBytes);
}
template <typename A, Describes<RunValue> T>
void describe(A& archive, T& m) {
  archive(m.slot, m.element, m.dims, m.place);
}
template <typename A, Describes<RunSession> T>
void describe(A& archive, T& m) {
  archive(m.session, m.runs, m.profile, m.inputs, m.outputs);
}
template <typename A, Describes<RanValue> T>
void describe(A& archive, T& m) {
  archive(m.kind, m.element, m.dims, m.offset, m.sizeBytes);
}
template <typename A, Describes<RanSession> T>
void describe(A& archive, T& m) {
  archive(m.runNs, m.results, m.resultBytes, m.profileBytes);
}
template <typename A, Describes<SessionNumber> T>
void describe(A& archive, T& m) {
  archive(m.session);
}
template <typename A, Describes<EndedProfile> T>
void describe(A& archive, T& m) {
  archive(m.profileBytes);
}
template <typename A, Describes<MemoryFacts> T>
void describe(A& archive, T& m) {
  archive(m.statistics);
}

}  // namespace cutaway::onnxruntime
