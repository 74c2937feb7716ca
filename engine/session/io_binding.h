#pragma once
// I/O binding: inputs and outputs bound once, run many times. A steady run through a binding allocates nothing at all.
//
// Inputs are tensors (sequences, maps) that the caller keeps; nothing is copied unless a device needs it elsewhere.
// Outputs go to memory of the caller, whose shape must be the output's, or to a device, where the run allocates (and
// takes the same memory again as long as it is large enough and the caller has not kept it). Thread rule: one binding,
// one thread at a time; several bindings of one session may run at once. The session must outlive the binding. Example:
//   IoBinding binding(*session);
//   CUTAWAY_CHECK(binding.bindInput("x", x));
//   CUTAWAY_CHECK(binding.bindOutput("y", y));            // caller's memory
//   for (...) CUTAWAY_CHECK(session->run(binding, {}));   // y holds the result

#include <memory>
#include <string>
#include <vector>

#include "engine/session/session.h"

namespace cutaway::session {

class IoBinding {
 public:
  explicit IoBinding(Session& session);
  ~IoBinding();
  IoBinding(const IoBinding&) = delete;
  IoBinding& operator=(const IoBinding&) = delete;

  // INVALID_ARGUMENT, naming both sides, for an unknown name, a wrong type, rank or fixed dimension. A repeated name
  // replaces the value.
  Result<void> bindInput(const std::string& name, RuntimeValue value);
  // The run writes into this tensor's bytes. INVALID_ARGUMENT for an unknown name, another element type or rank, a
  // fixed dimension that differs, memory that is not writable, or that overlaps another bound input or output; a shape
  // that turns out different in the run ends the run with INVALID_ARGUMENT.
  Result<void> bindOutput(const std::string& name, Tensor buffer);
  // The run allocates on this device. Default for every output.
  Result<void> bindOutput(const std::string& name, const Device& device = {});
  void clearInputs();
  void clearOutputs();

  // Inputs not bound that the model requires; outputs in the order they were bound (model order when none was).
  std::vector<std::string> missingInputs() const;
  // After a run: the outputs in bind order. Values stay valid until the next run through this binding, or as long as
  // the caller keeps a copy of the RuntimeValue.
  const std::vector<execute::Feed>& outputs() const;

  struct State;
  State& state() { return *m_state; }

 private:
  std::unique_ptr<State> m_state;
};

}  // namespace cutaway::session
