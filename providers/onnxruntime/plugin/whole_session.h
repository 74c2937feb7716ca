#pragma once
// The session that came of asking about a model that the provider takes as one group, until that group is compiled.
//
// Between the question and the compilation the group is cut out of its graph; that it is the same is checked, and not
// assumed. Thread rule: as ExecutionProvider. Example:
//   m_whole.keep(std::move(asked.whole));                     // after a question
//   if (auto session = m_whole.takeFor(group.graph)) ...      // instead of compiling

#include <memory>
#include <optional>
#include <vector>

#include "engine/graph/graph.h"
#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/plugin/plugin_library.h"
#include "providers/onnxruntime/plugin/plugin_settings.h"
#include "providers/onnxruntime/record/record_file.h"

namespace cutaway::onnxruntime {

// What nodes compute, whatever they are numbered: the same for two sets of nodes with the same operators, names of
// values, attributes and constants. Constants that are large are the same where they lie at one place.
std::vector<uint64_t> meaningOf(const Graph& graph, std::span<const NodeId> nodes);

// Whether the provider leaves QuantizeLinear of the model's inputs and DequantizeLinear of its outputs to the CPU, as
// QNN does where nobody tells it otherwise, and the model has such nodes: then it never has all of it.
bool leavesBorder(const PluginLibrary& plugin, const PluginSettings& settings, const Graph& graph);

class WholeSession {
 public:
  // Lets go of what was kept before; nullptr: nothing is kept.
  void keep(std::unique_ptr<HostedSession> session) {
    m_session = std::move(session);
    m_meaning.clear();
  }
  // The nodes that the session is of. The graph's constants must live until the session is taken.
  void describe(const Graph& graph, std::span<const NodeId> nodes) {
    if (m_session != nullptr) m_meaning = meaningOf(graph, nodes);
  }
  // The session, where it is of this group; nothing is kept afterwards.
  std::unique_ptr<HostedSession> takeFor(const Graph& group);

 private:
  std::unique_ptr<HostedSession> m_session;
  std::vector<uint64_t> m_meaning;
};

// The answer about all of a model that was asked for while a body of it was asked about, until the model itself is.
class EarlyAnswer {
 public:
  void keep(const SessionRequest& order, AskedModel asked, std::vector<LogLine> log) {
    m_kept = {printOf(order), std::move(asked), std::move(log)};
  }
  // Where it is the answer to this very question; nothing is kept afterwards.
  std::optional<AskedModel> takeFor(const SessionRequest& order, std::vector<LogLine>* log);

 private:
  struct Kept {
    ModelPrint print;
    AskedModel asked;
    std::vector<LogLine> log;
  };
  std::optional<Kept> m_kept;
};

}  // namespace cutaway::onnxruntime
