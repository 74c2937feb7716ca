#pragma once
// Progress and cancellation of long work.
//
// A CancelToken is a shared flag: copies ask the same question. A Progress receives the names of what is being done;
// the default does nothing. Thread rule: CancelToken may be used from any thread. Progress is called from the thread
// that does the work. Example:
//   for (...) { if (progress.cancelled()) return fail(cancelledError()); progress.update(done, total); }

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

#include "engine/base/result.h"

namespace cutaway {

class CancelToken {
 public:
  CancelToken() : m_flag(std::make_shared<std::atomic<bool>>(false)) {}
  void cancel() const { m_flag->store(true, std::memory_order_relaxed); }
  bool cancelled() const { return m_flag->load(std::memory_order_relaxed); }

 private:
  std::shared_ptr<std::atomic<bool>> m_flag;
};

class Progress {
 public:
  Progress() = default;
  explicit Progress(CancelToken token) : m_token(std::move(token)) {}
  virtual ~Progress() = default;

  // A stage or a part of it begins: "Load", "reading weights".
  virtual void begin(std::string_view /*stage*/, std::string_view /*detail*/) {}
  // total == 0 means unknown.
  virtual void update(uint64_t /*done*/, uint64_t /*total*/) {}

  bool cancelled() const { return m_token.cancelled(); }
  const CancelToken& token() const { return m_token; }

 private:
  CancelToken m_token;
};

// MODEL_LOAD_CANCELED, "cancelled".
Error cancelledError();

}  // namespace cutaway
