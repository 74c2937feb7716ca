// One node of each unknown form goes into a questions model, side by side with the others. A model that OpenVINO cannot
// judge as a whole is halved until the culprit stands alone.
#include "providers/openvino/questions.h"

#include <memory>
#include <mutex>
#include <unordered_map>

#include "engine/provider/node_form.h"
#include "engine/schema/model_message.h"
#include "engine/schema/proto_writer.h"
#include "providers/openvino/asking/asker.h"

namespace cutaway::openvino {

namespace {

constexpr size_t kQuestionsAtOnce = 256;
// Forms remembered; beyond it the memory starts anew. A model with more forms than this is asked in full each time.
constexpr size_t kMaxRemembered = 100'000;

using AnswerPointer = std::shared_ptr<const Answer>;

struct Memory {
  std::mutex mutex;
  std::unordered_map<std::string, AnswerPointer> answers;  // by device and form
};

Memory& memory() {
  static Memory instance;
  return instance;
}

// A question: the node, its values renamed "q<number>.<value>", its constants as they are.
void writeQuestion(Asker& asker, const Graph& graph, NodeId id, size_t number, onnx::GraphProto& proto,
                   std::vector<ExpectedOutput>& expected) {
  const Node& node = graph.node(id);
  onnx::NodeProto& written = *proto.add_node();
  writeNode(graph, node, written, false);
  written.set_name(fmt::format("q{}", number));
  const auto nameOf = [&](const char* kind, size_t slot) { return fmt::format("q{}.{}{}", number, kind, slot); };
  for (size_t slot = 0; slot < node.inputs.size(); ++slot) {
    const ValueId input = node.inputs[slot];
    if (!input.valid()) continue;
    const auto first =
        static_cast<size_t>(std::find(node.inputs.begin(), node.inputs.end(), input) - node.inputs.begin());
    const std::string name = nameOf("i", first);
    written.set_input(static_cast<int>(slot), name);
    if (first < slot) continue;
    const Value& value = graph.value(input);
    if (graph.isConstant(input) && value.initializer) {
      onnx::TensorProto& tensor = *proto.add_initializer();
      if (!asker.writeLarge(*value.initializer, name, tensor)) writeTensor(*value.initializer, name, tensor);
    } else {
      onnx::ValueInfoProto& info = *proto.add_input();
      info.set_name(name);
      writeType(value.type, *info.mutable_type());
    }
  }
  for (size_t slot = 0; slot < node.outputs.size(); ++slot) {
    if (!node.outputs[slot].valid()) continue;
    const ValueType& type = graph.value(node.outputs[slot]).type;
    const std::string name = nameOf("o", slot);
    written.set_output(static_cast<int>(slot), name);
    onnx::ValueInfoProto& info = *proto.add_output();
    info.set_name(name);
    // The element type alone: shapes would be taken on trust.
    writeType(ValueType::tensor(type.element, std::nullopt), *info.mutable_type());
    ExpectedOutput output{.question = number,
                          .name = name,
                          .element = static_cast<int32_t>(type.element),
                          .isRanked = type.shape.has_value(),
                          .dims = {}};
    if (type.shape) {
      for (const Dim& dim : type.shape->dims())
        output.dims.push_back(dim.isKnown() ? dim.value() : -1);
    }
    expected.push_back(std::move(output));
  }
}

class Questioner {
 public:
  Questioner(Asker& asker, const std::string& device, const CapabilityRequest& request)
      : m_asker(asker), m_device(device), m_request(request) {}

  // Answers in the order of the nodes; of no use once the request was cancelled.
  std::vector<Answer> ask(std::span<const NodeId> nodes) {
    std::vector<ExpectedOutput> expected;
    const Result<std::string> bytes = questionsModel(nodes, expected);
    std::string problem = bytes ? std::string() : bytes.error().message;
    std::vector<Judged> judged;
    if (bytes) judged = m_asker.judge(*bytes, expected, nodes.size(), m_device, m_request.progress, problem);
    std::vector<Answer> answers;
    if (problem.empty()) {
      for (size_t i = 0; i < nodes.size(); ++i)
        answers.push_back(describe(nodes[i], judged[i]));
    } else if (nodes.size() == 1 || m_request.progress.cancelled()) {
      answers.assign(nodes.size(), {.supported = false,
                                    .cause = RefusalCause::kOperator,
                                    .reason = "OpenVINO could not judge it: " + shortened(problem),
                                    .rule = "query_model"});
    } else {
      answers = ask(nodes.first(nodes.size() / 2));
      for (Answer& answer : ask(nodes.subspan(nodes.size() / 2)))
        answers.push_back(std::move(answer));
    }
    return answers;
  }

 private:
  Result<std::string> questionsModel(std::span<const NodeId> nodes, std::vector<ExpectedOutput>& expected) const {
    m_asker.begin(m_request.progress);
    onnx::ModelProto model;
    writeModelHeader(m_request.model.opsets, model);
    model.mutable_graph()->set_name("questions");
    for (size_t i = 0; i < nodes.size(); ++i)
      writeQuestion(m_asker, m_request.graph, nodes[i], i, *model.mutable_graph(), expected);
    return modelBytes(model);
  }

  std::string label(const Node& node) const {
    return (node.domain.empty() ? "" : node.domain + ".") + node.opType + fmt::format("-{}", node.sinceVersion);
  }

  Answer describe(NodeId id, const Judged& judged) const {
    const Node& node = m_request.graph.node(id);
    switch (judged.judgement) {
      case Judgement::kSupported:
        return {.supported = true};
      case Judgement::kNotOnDevice:
        return {.supported = false,
                .cause = RefusalCause::kOperator,
                .reason = fmt::format("OpenVINO's device {} does not run its operation {}, which {} becomes", m_device,
                                      judged.operation, node.opType),
                .rule = "query_model",
                .seen = judged.operation,
                .remedy = "another device (option device), or an operator form that becomes other operations"};
      case Judgement::kOtherResult:
        return {.supported = false,
                .cause = RefusalCause::kType,
                .reason = fmt::format("OpenVINO's {} gives {}, and the standard asks for another type or shape",
                                      node.opType, judged.operation),
                .rule = "frontend",
                .seen = judged.operation};
      case Judgement::kNoConversion:
      case Judgement::kConversionFailed:
        break;
    }
    return describeFailedConversion(id);
  }

  // The whole model said no more than the operator's name: asked alone, the frontend gives its reason.
  Answer describeFailedConversion(NodeId id) const {
    const Node& node = m_request.graph.node(id);
    std::vector<ExpectedOutput> expected;
    const Result<std::string> bytes = questionsModel({&id, 1}, expected);
    const std::string words = bytes ? m_asker.conversionProblem(*bytes, m_request.progress) : bytes.error().message;
    const bool unknown = words.find("No conversion rule") != std::string::npos;
    Answer answer{.supported = false,
                  .cause = unknown ? RefusalCause::kOperator : RefusalCause::kAttribute,
                  .rule = "frontend",
                  .seen = label(node)};
    answer.reason = unknown ? fmt::format("OpenVINO's ONNX frontend has no conversion for {}", label(node))
                            : fmt::format("OpenVINO's ONNX frontend does not convert this form of {}: {}", label(node),
                                          words.empty() ? "it gave no result" : shortened(words));
    answer.remedy = unknown ? "an operator that the frontend knows, or another provider for this node"
                            : "another form of the operator: attributes, optional inputs, constant inputs";
    return answer;
  }

  Asker& m_asker;
  const std::string& m_device;
  const CapabilityRequest& m_request;
};

// Without what an exception of OpenVINO says of its own source: "Exception from src/x.cpp:12:" and the like, alone on a
// line or behind other words, and the nodes it was looking at.
std::string_view withoutPlace(std::string_view line) {
  if (line.empty() || line.back() != ':') return line;
  if (line.starts_with("While validating node")) return {};
  for (const std::string_view start : {"Exception from ", "Check '"})
    if (const size_t at = line.find(start); at != std::string_view::npos) line = line.substr(0, at);
  while (!line.empty() && line.back() == ' ')
    line.remove_suffix(1);
  return line;
}

}  // namespace

std::string shortened(const std::string& message) {
  constexpr size_t kMaxLength = 240;
  std::string text;
  std::string_view rest = message;
  while (!rest.empty() && text.size() < kMaxLength) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    while (!line.empty() && (line.front() == ' ' || line.front() == '-'))
      line.remove_prefix(1);
    while (!line.empty() && line.back() == ' ')
      line.remove_suffix(1);
    if (line.substr(0, 7) == "Summary") break;
    if (line.empty() || line.substr(0, 12) == "FrontEnd API" || line.substr(0, 20) == "Model wasn't fully c") continue;
    line = withoutPlace(line);
    if (line.empty()) continue;
    (text += text.empty() ? "" : " ") += line;
  }
  if (text.size() > kMaxLength) text = text.substr(0, kMaxLength) + "...";
  return text.empty() ? "no message" : text;
}

Result<std::vector<Answer>> askAbout(Asker& asker, const std::string& device, const CapabilityRequest& request,
                                     std::span<const NodeId> nodes) {
  const std::lock_guard lock(memory().mutex);
  auto& known = memory().answers;
  if (known.size() > kMaxRemembered) known.clear();
  std::vector<AnswerPointer*> places;
  std::vector<NodeId> open;
  std::vector<AnswerPointer*> openPlaces;
  places.reserve(nodes.size());
  // References into the map stay good while it grows.
  for (const NodeId id : nodes) {
    const auto [place, isNew] = known.try_emplace(device + '|' + formOf(request.graph, id));
    places.push_back(&place->second);
    if (!isNew) continue;
    open.push_back(id);
    openPlaces.push_back(&place->second);
  }
  const auto turn = open.empty() ? std::unique_lock<std::timed_mutex>() : asker.turn(request.progress);
  Questioner questioner(asker, device, request);
  for (size_t begin = 0; begin < open.size(); begin += kQuestionsAtOnce) {
    const auto part = std::span<const NodeId>(open).subspan(begin, std::min(kQuestionsAtOnce, open.size() - begin));
    std::vector<Answer> answers;
    if (!request.progress.cancelled()) answers = questioner.ask(part);
    if (request.progress.cancelled()) {
      known.clear();  // places without an answer must not stay
      return fail(cancelledError());
    }
    for (size_t i = 0; i < part.size(); ++i)
      *openPlaces[begin + i] = std::make_shared<const Answer>(std::move(answers[i]));
  }
  std::vector<Answer> result;
  result.reserve(nodes.size());
  for (const AnswerPointer* place : places)
    result.push_back(**place);
  return result;
}

}  // namespace cutaway::openvino
