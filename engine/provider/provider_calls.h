#pragma once
// Calls into a provider that may hang or throw: made on a worker thread, given up when the user cancels.
//
// What a provider throws becomes an error. A call that is still running some time after the user cancelled is
// abandoned: its thread goes on by itself, and whatever it touches must outlive the call. So the work holds what it
// uses by shared ownership, and whoever owns providers lets them go through disposeProviders(), which keeps them for as
// long as such a call runs. Thread rule: one ProviderCalls is used by one thread; disposeProviders by any. One worker
// serves all calls; it is started with the first. Example:
//   ProviderCalls calls(progress.token());
//   CUTAWAY_TRY(CapabilityAnswer answer, calls.call<CapabilityAnswer>(provider, [question, &provider] { return
//   provider.capability(question->request()); }));

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/exception_text.h"
#include "engine/base/progress.h"
#include "engine/provider/execution_provider.h"

namespace cutaway {

class ProviderCalls {
 public:
  explicit ProviderCalls(CancelToken token);
  ~ProviderCalls();  // waits for the worker, unless a call was abandoned
  ProviderCalls(const ProviderCalls&) = delete;
  ProviderCalls& operator=(const ProviderCalls&) = delete;

  // MODEL_LOAD_CANCELED: the user cancelled and the work did not end in time; EP_FAIL: it threw. Everything else is the
  // work's own answer.
  template <typename T>
  Result<T> call(const ExecutionProvider& provider, std::function<Result<T>()> work) {
    auto answer = std::make_shared<std::optional<Result<T>>>();
    const bool done = run(provider, [answer, work = std::move(work)] { answer->emplace(guarded<T>(work)); });
    if (!done) return fail(cancelledError());
    return std::move(**answer);
  }

  // A call ran on after it was given up: what it uses lives on with it, and is not to be touched by anybody else.
  bool abandoned() const { return m_abandoned; }

  // Exceptions as errors.
  template <typename T>
  static Result<T> guarded(const std::function<Result<T>()>& work) {
    try {
      return work();
    } catch (const std::exception& exception) {
      return fail(ErrorCode::kEpFail, "it threw an exception: {}", exceptionText(exception));
    } catch (...) {
      return fail(ErrorCode::kEpFail, "it threw something that is no std::exception");
    }
  }

 private:
  struct Worker;
  bool run(const ExecutionProvider& provider, std::function<void()> work);

  CancelToken m_token;
  std::shared_ptr<Worker> m_worker;
  bool m_abandoned = false;
};

// Ends providers. When an abandoned call to one of them still runs, all of them stay alive until it returns, if ever.
void disposeProviders(std::vector<std::unique_ptr<ExecutionProvider>> providers);

}  // namespace cutaway
