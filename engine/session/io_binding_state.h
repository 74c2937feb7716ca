#pragma once
// What an IoBinding holds; the session reads it in a run.
//
// Thread rule: as IoBinding. Example: State& state = binding.state();  CUTAWAY_CHECK(state.prepare());

#include <memory>
#include <string>
#include <vector>

#include "engine/execute/memory/output_memory.h"
#include "engine/session/feed_check.h"
#include "engine/session/io_binding.h"

namespace cutaway::session {

struct BoundOutput {
  uint32_t place = 0;  // among the model's outputs
  Tensor buffer;       // of the caller; not valid: the run allocates on `device`
  Device device;
  execute::OutputMemory memory;  // what the run allocated, taken again
};

struct IoBinding::State {
  explicit State(Session& owner);

  // Before a run, and only when something changed since the last: everything required is there, and shapes agree with
  // each other. INVALID_ARGUMENT otherwise.
  Result<void> prepare();
  Result<size_t> placeOfOutput(const std::string& name) const;
  Result<void> checkBuffer(const execute::NamedType& output, const Tensor& buffer) const;
  Result<void> checkOverlap(const std::string& name, const Tensor& buffer) const;
  Result<void> checkInputOverlap(const std::string& name, const RuntimeValue& value) const;
  Result<void> checkSymbols(const BoundOutput& output) const;
  BoundOutput& outputAt(size_t place);
  // Every output, on the host, when none was bound.
  void bindAll();

  Session& session;
  FeedChecker checker;
  std::vector<execute::NamedType> outputTypes;
  std::vector<RuntimeValue> inputs;  // by place among the model's inputs
  std::vector<uint8_t> isBound;      // an optional input may be bound to an empty value
  FeedMatch match;
  std::vector<std::unique_ptr<BoundOutput>> outputs;  // in the order they were bound
  std::vector<std::string> wanted;                    // their names; empty: all, in model order
  bool boundAll = false;                              // `outputs` are all of the model's because none was bound
  bool prepared = false;
  std::vector<execute::Feed> results;
};

}  // namespace cutaway::session
