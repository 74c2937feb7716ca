#include "providers/onnxruntime/plugin/plugin_question.h"

#include <algorithm>
#include <set>

#include "engine/base/log.h"
#include "providers/onnxruntime/model_writer.h"
#include "providers/onnxruntime/plugin/plugin_reasons.h"
#include "providers/onnxruntime/questions.h"

namespace cutaway::onnxruntime {

namespace {

// How often the question is put without the nodes that stood in its way.
constexpr int kMostQuestions = 64;

class Asking {
 public:
  Asking(const AnswerSource& source, const PluginLibrary& plugin, const PluginSettings& settings,
         const CapabilityRequest& request, std::vector<NodeId> nodes)
      : m_source(source), m_plugin(plugin), m_settings(settings), m_request(request), m_open(std::move(nodes)) {
    m_said.level = settings.session.level;
  }

  Result<PluginSaid> ask() {
    for (int question = 0; question < kMostQuestions && !m_open.empty(); ++question) {
      if (m_request.progress.cancelled()) return fail(cancelledError());
      CUTAWAY_TRY(const bool isDone, askOnce());
      if (isDone) return std::move(m_said);
    }
    refuseAll(RefusalCause::kBadAnswer, "it was asked again and again, and ONNX Runtime refused the model each time");
    return std::move(m_said);
  }

 private:
  Result<bool> askOnce() {
    // Of a whole graph ONNX Runtime sees what it sees of the file; a part lacks what follows from the rest.
    const bool isWhole = m_open.size() == m_request.graph.nodeIds().size();
    CUTAWAY_TRY(GroupModel model, writeNumberedModel(m_request.graph, m_open, m_request.model.opsets,
                                                     isWhole ? InnerTypes::kLeftOut : InnerTypes::kWritten));
    SessionRequest order{.model = std::move(model.model),
                         .modelBytes = model.modelBytes,
                         .weights = std::move(model.weights),
                         .settings = m_settings.session};
    order.settings.level = m_said.level;
    order.settings.log = true;
    std::vector<LogLine> log;
    const Result<AskedFacts> facts = m_source(order, [this] { return m_request.progress.cancelled(); }, &log);
    if (!facts) {
      if (facts.error().code == ErrorCode::kModelLoadCanceled) return fail(facts.error());
      refuseAll(RefusalCause::kNotUsable,
                fmt::format("{} could not be asked: {}", m_plugin.title, facts.error().message));
      return true;
    }
    m_said.answer = readAnswer(m_request.graph, m_open, *facts);
    if (facts->code == 0) {
      const RefusedNodes refused{.provider = m_plugin.title, .asked = m_open, .answer = m_said.answer, .log = log};
      for (cutaway::Refusal& refusal : refusalsOf(refused))
        m_said.refusals.push_back(std::move(refusal));
      return true;
    }
    return !mayAskAgain(*facts);
  }

  // ONNX Runtime refused the model: without what stood in its way it may not.
  bool mayAskAgain(const AskedFacts& facts) {
    log::debug(log::Category::kProviders, "provider {}: {}", m_plugin.name, facts.message);
    if (wantsFolding(facts.message) && m_said.level == OptimizationLevel::kNone) {
      m_said.level = OptimizationLevel::kBasic;
      return true;
    }
    // Of a question that the provider failed over nothing follows about nodes.
    if (!m_said.answer.lost.empty() && m_said.answer.error.empty()) {
      const std::vector<NodeId> lost = m_said.answer.lost;
      for (const NodeId id : lost)
        leaveOut(id, RefusalCause::kBadAnswer, "lost after the layout change", m_said.answer.whyNot[id]);
      return true;
    }
    const std::optional<NodeId> named = numberIn(facts.message);
    if (named && std::ranges::find(m_open, *named) != m_open.end()) {
      leaveOut(*named, RefusalCause::kOperator, "ONNX Runtime refuses it",
               fmt::format("ONNX Runtime refuses the node: {}", shortened(facts.message)));
      return true;
    }
    refuseAll(RefusalCause::kNotUsable,
              fmt::format("{}: {}", m_said.answer.wasAsked ? m_plugin.title : "ONNX Runtime refuses the model",
                          shortened(facts.message)));
    return false;
  }

  void leaveOut(NodeId id, RefusalCause cause, const char* rule, std::string reason) {
    m_said.refusals.push_back({.node = id, .cause = cause, .reason = std::move(reason), .rule = rule});
    std::erase(m_open, id);
  }

  void refuseAll(RefusalCause cause, const std::string& reason) {
    for (const NodeId id : m_open)
      m_said.refusals.push_back({.node = id, .cause = cause, .reason = reason, .rule = "asking"});
    m_open.clear();
    m_said.answer = {};
  }

  const AnswerSource& m_source;
  const PluginLibrary& m_plugin;
  const PluginSettings& m_settings;
  const CapabilityRequest& m_request;
  std::vector<NodeId> m_open;
  PluginSaid m_said;
};

}  // namespace

Result<PluginSaid> askPlugin(const AnswerSource& source, const PluginLibrary& plugin, const PluginSettings& settings,
                             const CapabilityRequest& request, std::vector<NodeId> nodes) {
  return Asking(source, plugin, settings, request, std::move(nodes)).ask();
}

bool wantsFolding(std::string_view message) {
  return message.find("nodes that cannot be fused together") != std::string_view::npos ||
         message.find("Failed to get initializer value") != std::string_view::npos;
}

}  // namespace cutaway::onnxruntime
