#pragma once
// A session of the library in the host process: made, described, run.
//
// Thread rule: one thread. Example: CUTAWAY_TRY(auto made, LibrarySession::create(runtime, message));
// CUTAWAY_TRY(const Ran ran, made.session->run(runtime, order));

#include "providers/onnxruntime/host/runtime.h"

namespace cutaway::onnxruntime {

// With what travels beside a reply.
struct Ran {
  RanSession facts;
  std::vector<std::shared_ptr<const SharedMemory>> memory;
};

class LibrarySession {
 public:
  struct Made;
  static Result<Made> create(Runtime& runtime, const CreateSession& message);
  // Of one that the library has made already; `facts` gets what it says of it.
  static Result<std::unique_ptr<LibrarySession>> of(const CApi& api, OwnedSession made, SessionFacts& facts);

  Result<Ran> run(Runtime& runtime, const RunSession& message);
  // The profile's file as memory.
  Result<std::shared_ptr<const SharedMemory>> endProfile(uint64_t& sizeBytes);
  Result<TextPairs> memoryStatistics() const;
  const abi::Session* handle() const { return m_session.get(); }

 private:
  explicit LibrarySession(const CApi& api) : m_api(api), m_session(api) {}
  Result<void> describe(SessionFacts& facts);
  Result<void> giveResults(const std::vector<abi::Value*>& values, Ran& ran) const;

  const CApi& m_api;
  OwnedSession m_session;
  std::vector<ValueFacts> m_inputs;
  std::vector<ValueFacts> m_outputs;
  bool m_isProfiled = false;
};

struct LibrarySession::Made {
  std::unique_ptr<LibrarySession> session;
  CreatedSession facts;
  std::shared_ptr<const SharedMemory> optimizedModel;
};

}  // namespace cutaway::onnxruntime
