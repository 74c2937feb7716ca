#pragma once
// One second opinion while it is asked for: its sessions, and what both engines said so far.
//
// Three files: onnxruntime_opinion.cpp has the model as it is, rounding.cpp what explains results that differ,
// same_graph.cpp ONNX Runtime's optimised graph in both engines. Thread rule: one thread; long work.

#include <map>
#include <memory>
#include <vector>

#include "app/second_opinion/hosted_model.h"
#include "app/second_opinion/onnxruntime_opinion.h"
#include "engine/study/second_opinion/second_opinion.h"

namespace cutaway::opinion {

class Asking {
 public:
  Asking(const OpinionRequest& request, const ProviderTable& table, Progress& progress)
      : m_request(request), m_table(table), m_progress(progress) {}

  Result<SecondOpinion> ask();

 private:
  Result<void> runOurs();
  Result<void> askAsItIs();
  Result<void> askAssignment();
  Result<void> askAgain();
  Result<void> askNudged(uint64_t seed);
  Result<void> runOnCpu();
  Result<void> runIn(ElementType type, std::vector<execute::Feed>& results);
  Result<void> runPlain();
  // What is tried to explain a difference: without providers whose hardware is not here, for these are what it is
  // about.
  session::SessionOptions trialOptions() const;
  std::vector<execute::Feed> resultsOf(onnxruntime::SessionRequest request, const std::vector<execute::Feed>& feeds);
  Result<void> askForGraph();
  Result<void> inferSameGraph(const NamedGraph& graph);
  Result<void> askSameGraph(const NamedGraph& graph);
  Result<void> planSameGraph(const NamedGraph& graph);
  Result<std::unique_ptr<onnxruntime::HostedSession>> open(onnxruntime::SessionRequest request,
                                                           std::vector<onnxruntime::LogLine>* log = nullptr) {
    return onnxruntime::HostedSession::open(m_host, std::move(request), [this] { return m_progress.cancelled(); }, log);
  }
  // As it is, without optimisation.
  Result<std::unique_ptr<onnxruntime::HostedSession>> openBytes(const std::vector<std::byte>& bytes, bool profile);
  onnxruntime::Stopped stopped() {
    return [this] { return m_progress.cancelled(); };
  }
  onnxruntime::SessionSettings settings(onnxruntime::OptimizationLevel level, const Dimensions& dims) const;
  void addNodes(SecondOpinion& opinion) const;

  const OpinionRequest& m_request;
  const ProviderTable& m_table;
  Progress& m_progress;
  std::shared_ptr<onnxruntime::Host> m_host;
  std::unique_ptr<session::Session> m_session;  // ours on the model as it is
  std::vector<execute::Feed> m_feeds;
  Dimensions m_dims;
  study::OurEngine m_ours;
  study::OtherEngine m_theirs;
  std::map<int32_t, std::vector<int64_t>> m_nodeTimes;  // ours on the same graph, a run each
  int64_t m_nodeRuns = 0;
  int m_runs = m_request.runs;  // of each engine: those that this one had time for
};

}  // namespace cutaway::opinion
