// What the engine and the built providers do for the window.
#include "app/desktop/engine_host.h"

#include <mutex>

#include "app/providers/provider_table.h"
#include "app/second_opinion/onnxruntime_opinion.h"
#include "engine/base/crash_guard.h"
#include "engine/compile/compile.h"
#include "engine/compile/verify.h"
#include "engine/profile/profiles.h"
#include "engine/study/what_if/compare_plans.h"
#include "engine/study/what_if/what_if.h"

namespace cutaway {
namespace {

// One for all windows, because it remembers how fast this machine is; it takes one question at a time. A thread that
// crashed over a question holds it for ever: then there is a new one.
class SharedWhatIf {
 public:
  struct One {
    explicit One(const ProviderTable& table) : whatIf(table) {}
    std::mutex mutex;
    study::WhatIf whatIf;
  };
  explicit SharedWhatIf(ProviderTable table) : m_table(std::move(table)) {}
  std::shared_ptr<One> get() {
    const std::lock_guard lock(m_mutex);
    if (const int crashes = CrashGuard::parkedThreads(); !m_one || crashes != m_crashes) {
      m_one = std::make_shared<One>(m_table);
      m_crashes = crashes;
    }
    return m_one;
  }

 private:
  const ProviderTable m_table;
  std::mutex m_mutex;
  std::shared_ptr<One> m_one;
  int m_crashes = 0;
};

}  // namespace

std::shared_ptr<const ui::EngineHost> makeEngineHost() {
  auto host = std::make_shared<ui::EngineHost>();
  host->providers = builtProviders();
  host->createSession = [](const load::ModelSource& source, const session::SessionOptions& options,
                           const ProviderTable& table, Progress& progress, const session::WalkListener& listener) {
    return session::Session::create(source, options, table, progress, listener);
  };
  host->readTrace = profile::readTrace;
  host->compareRuns = profile::compareRuns;
  host->evaluateWhatIf = [all = std::make_shared<SharedWhatIf>(host->providers)](
                             const Model& optimized, const session::SessionOptions& options,
                             const session::Configuration& change, const WalkReport& present, Progress& progress,
                             int measureRuns) {
    const std::shared_ptr<SharedWhatIf::One> one = all->get();
    const std::lock_guard lock(one->mutex);
    return one->whatIf.evaluate(optimized, options, change, present, progress, measureRuns);
  };
  host->compareOrders = [table = host->providers](const Model& optimized, const session::SessionOptions& options,
                                                  Progress& progress) {
    return study::compareOrders(optimized, options, table, progress);
  };
  host->compileModel = compile::compileModel;
  host->verifyContext = compile::verifyContext;
  host->askOnnxruntime = [table = host->providers](const std::filesystem::path& model,
                                                   const session::SessionOptions& options,
                                                   std::vector<execute::Feed> feeds, Progress& progress) {
    return askOnnxruntime({.model = model, .options = options, .feeds = std::move(feeds)}, table, progress);
  };
  return host;
}

}  // namespace cutaway
