#pragma once
// A model made ready to run, its runs and their profile.
//
// Thread rule: make it on one thread; run() from many at once. All functions throw Error. Example:
//   const Session session({.path = "model.onnx"}, "providers=cpu; threads=2");
//   const std::vector<NamedTensor> outputs = session.run(session.randomFeeds(1));

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <cutaway/error.h>
#include <cutaway/reports.h>
#include <cutaway/tensor.h>

namespace cutaway::api {

struct NamedType {
  std::string name;
  std::string type;      // "float[batch,3,224,224]"
  bool required = true;  // false: an input that has a default
};

struct RunOptions {
  std::vector<std::string> outputs;     // empty: all, in the model's order
  std::vector<std::string> keepValues;  // intermediates to return too; "all" keeps every one
  int64_t deadlineNs = 0;               // the run may take this long; 0: no limit
};

struct ProfileOptions {
  int runs = 10;
  int warmups = 1;
};

struct Profile {
  std::string report;  // as `cutaway-cli profile --json`
  std::string trace;   // as `--trace`: a Chrome trace, which Perfetto opens
};

class Session {
 public:
  // configuration: as in reports.h.
  explicit Session(const Model& model, const std::string& configuration = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  std::vector<NamedType> inputs() const;
  std::vector<NamedType> outputs() const;
  // Of all stages, as walkReport().
  std::string report() const;

  // Feeds for all required inputs; the same seed gives the same bytes everywhere. Open dimensions are those of the
  // configuration, or 1.
  std::vector<NamedTensor> randomFeeds(uint64_t seed) const;
  // Outputs, and behind them what was kept. Feeds are read where they lie, and the outputs' memory is the caller's
  // alone; neither is copied. NOT_IMPLEMENTED: an output is no tensor.
  std::vector<NamedTensor> run(const std::vector<NamedTensor>& feeds, const RunOptions& options = {}) const;
  // Returns at once; runs come one after the other, in the order of asking, on a thread of the session's own, which
  // then calls `done` with what run() would have returned, or with what it would have thrown, and no outputs. Feeds'
  // bytes must stay until then. `done` may ask again; what it throws is logged and goes no further. The session's
  // destructor cancels runs that are not done, calls their `done`, and waits for it.
  using Done = std::function<void(std::vector<NamedTensor> outputs, const Error* error)>;
  void runAsync(const std::vector<NamedTensor>& feeds, const RunOptions& options, Done done) const;
  // Times of every node, measured by repeated runs.
  Profile profile(const std::vector<NamedTensor>& feeds, const ProfileOptions& options = {}) const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace cutaway::api
