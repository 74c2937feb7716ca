// One node of each unknown form goes into a questions model, side by side with the others. The library's message names
// the node that it stumbled over; without a name the model is halved until the culprit stands alone.
#include "providers/onnxruntime/questions.h"

#include <algorithm>
#include <charconv>
#include <mutex>
#include <unordered_map>

#include "engine/provider/node_form.h"
#include "engine/schema/model_message.h"
#include "engine/schema/proto_writer.h"

namespace cutaway::onnxruntime {

namespace {

constexpr size_t kQuestionsAtOnce = 128;
constexpr size_t kMaxRemembered = 100'000;
// Constants up to this size are part of the question; larger ones are weights, and stand there as inputs.
constexpr int64_t kMaxConstantBytes = 4096;
constexpr std::string_view kQuestionName = "cutaway_q";

using AnswerPointer = std::shared_ptr<const Answer>;

struct Memory {
  std::mutex mutex;
  std::unordered_map<std::string, AnswerPointer> answers;  // by configuration and form
};

Memory& memory() {
  static Memory instance;
  return instance;
}

// Whose kernels are asked.
std::string configurationOf(const LibraryFacts& library, const OnnxruntimeOptions& options) {
  std::string text = library.path + '|' + library.version;
  for (const std::string& operators : options.settings.customOperators)
    text += '|' + operators;
  for (const AppendedProvider& provider : options.settings.providers) {
    text += fmt::format("|{};{}", provider.name, provider.plugin.library);
    for (const auto& [key, value] : provider.options)
      text += fmt::format(";{}={}", key, value);
  }
  return text;
}

bool isSmallConstant(const Graph& graph, ValueId id) {
  const Value& value = graph.value(id);
  return graph.isConstant(id) && value.initializer &&
         (value.initializer->type() == ElementType::kString || value.initializer->sizeBytes() <= kMaxConstantBytes);
}

void writeQuestionInput(const Graph& graph, ValueId id, const std::string& name, bool allConstants,
                        onnx::GraphProto& proto) {
  const Value& value = graph.value(id);
  if (isSmallConstant(graph, id) || (allConstants && graph.isConstant(id) && value.initializer)) {
    writeTensor(*value.initializer, name, *proto.add_initializer());
    return;
  }
  onnx::ValueInfoProto& info = *proto.add_input();
  info.set_name(name);
  writeType(value.type, *info.mutable_type());
}

void writeQuestionOutput(const Graph& graph, ValueId id, const std::string& name, onnx::GraphProto& proto) {
  onnx::ValueInfoProto& info = *proto.add_output();
  info.set_name(name);
  // The element type alone: shapes are the library's to infer.
  writeType(ValueType::tensor(graph.value(id).type.element, std::nullopt), *info.mutable_type());
}

// The node with its values renamed "cutaway_q<number>.<value>". Bodies refer to values around them by name, so a node
// that has some keeps the names and stands alone.
void writeQuestion(const Graph& graph, NodeId id, size_t number, bool allConstants, onnx::GraphProto& proto) {
  const Node& node = graph.node(id);
  const bool hasBodies = node.hasBodies();
  onnx::NodeProto& written = *proto.add_node();
  writeNode(graph, node, written, hasBodies);
  written.set_name(fmt::format("{}{}", kQuestionName, number));
  std::vector<ValueId> inputs(node.inputs.begin(), node.inputs.end());
  inputs.insert(inputs.end(), node.implicitInputs.begin(), node.implicitInputs.end());
  for (size_t slot = 0; slot < inputs.size(); ++slot) {
    if (!inputs[slot].valid()) continue;
    const auto first = static_cast<size_t>(std::find(inputs.begin(), inputs.end(), inputs[slot]) - inputs.begin());
    const std::string name =
        hasBodies ? graph.value(inputs[slot]).name.string() : fmt::format("{}{}.i{}", kQuestionName, number, first);
    if (!hasBodies) written.set_input(static_cast<int>(slot), name);
    if (first == slot) writeQuestionInput(graph, inputs[slot], name, allConstants, proto);
  }
  for (size_t slot = 0; slot < node.outputs.size(); ++slot) {
    if (!node.outputs[slot].valid()) continue;
    const std::string name = hasBodies ? graph.value(node.outputs[slot]).name.string()
                                       : fmt::format("{}{}.o{}", kQuestionName, number, slot);
    if (!hasBodies) written.set_output(static_cast<int>(slot), name);
    writeQuestionOutput(graph, node.outputs[slot], name, proto);
  }
}

RefusalCause causeOf(const Error& error) {
  const std::string& text = error.message;
  if (error.code == ErrorCode::kNotImplemented) return RefusalCause::kType;
  if (text.find("is not a registered function/op") != std::string::npos) return RefusalCause::kOperator;
  if (text.find("Type Error") != std::string::npos) return RefusalCause::kType;
  if (text.find("ShapeInferenceError") != std::string::npos) return RefusalCause::kShape;
  return RefusalCause::kOperator;
}

class Questioner {
 public:
  Questioner(const std::shared_ptr<Host>& host, const OnnxruntimeOptions& options, const CapabilityRequest& request)
      : m_host(host), m_request(request), m_settings(options.settings) {
    m_settings.level = OptimizationLevel::kNone;
    m_settings.intraThreads = 1;
    m_settings.interThreads = 1;
    m_settings.keys.emplace_back("session.disable_prepacking", "1");
  }

  // Answers in the order of the nodes.
  Result<std::vector<Answer>> ask(std::span<const NodeId> nodes) {
    std::vector<Answer> answers(nodes.size());
    std::vector<size_t> open(nodes.size());
    for (size_t i = 0; i < open.size(); ++i)
      open[i] = i;
    CUTAWAY_CHECK(askOpen(nodes, open, answers));
    return answers;
  }

 private:
  // `open`: the places in `nodes` that have no answer yet.
  Result<void> askOpen(std::span<const NodeId> nodes, std::vector<size_t> open, std::vector<Answer>& answers) {
    while (!open.empty()) {
      if (m_request.progress.cancelled()) return fail(cancelledError());
      const Result<void> said = create(nodes, open, false);
      if (said) {
        for (const size_t place : open)
          answers[place].supported = true;
        return {};
      }
      if (isFatal(said.error())) return fail(said.error());
      const int64_t named = questionNamedIn(said.error().message);
      const auto culprit = std::find(open.begin(), open.end(), static_cast<size_t>(named));
      if (named >= 0 && culprit != open.end()) {
        CUTAWAY_TRY(answers[*culprit], askAlone(nodes, *culprit, said.error()));
        open.erase(culprit);
      } else if (open.size() == 1) {
        CUTAWAY_TRY(answers[open[0]], askAlone(nodes, open[0], said.error()));
        return {};
      } else {
        const auto middle = open.begin() + static_cast<std::ptrdiff_t>(open.size() / 2);
        CUTAWAY_CHECK(askOpen(nodes, {open.begin(), middle}, answers));
        open.erase(open.begin(), middle);
      }
    }
    return {};
  }

  // Weights that the question left out may be what it lacks: kernels that want them constant.
  Result<Answer> askAlone(std::span<const NodeId> nodes, size_t place, const Error& error) {
    if (create(nodes, {place}, true)) return Answer{.supported = true};
    return refusal(nodes[place], error);
  }

  // The host that a question kills cannot tell what is wrong; without a host nothing can be asked at all.
  static bool isFatal(const Error& error) {
    return error.code == ErrorCode::kModelLoadCanceled || error.message.find("cannot be started") != std::string::npos;
  }

  Result<void> create(std::span<const NodeId> nodes, const std::vector<size_t>& open, bool allConstants) {
    onnx::ModelProto model;
    writeModelHeader(m_request.model.opsets, model);
    model.mutable_graph()->set_name("questions");
    for (const size_t place : open)
      writeQuestion(m_request.graph, nodes[place], place, allConstants, *model.mutable_graph());
    CUTAWAY_TRY(const std::string bytes, modelBytes(model));
    CUTAWAY_TRY(auto memory, SharedMemory::of(bytes));
    const auto stopped = [this] { return m_request.progress.cancelled(); };
    CUTAWAY_CHECK(
        HostedSession::open(m_host, {.model = std::move(memory), .settings = m_settings}, stopped).map([](const auto&) {
        }));
    return {};
  }

  Answer refusal(NodeId id, const Error& error) const {
    const Node& node = m_request.graph.node(id);
    return {
        .supported = false,
        .cause = causeOf(error),
        .reason = fmt::format("ONNX Runtime refuses this form of {}: {}", node.opType, shortened(error.message)),
        .rule = "session of questions",
        .seen = fmt::format("{}{}{}-{}", node.domain, node.domain.empty() ? "" : ".", node.opType, node.sinceVersion),
        .remedy = "another form of the operator (types, attributes, version), or another provider for this node"};
  }

  std::shared_ptr<Host> m_host;
  const CapabilityRequest& m_request;
  SessionSettings m_settings;
};

}  // namespace

int64_t questionNamedIn(std::string_view message) {
  const size_t at = message.find(kQuestionName);
  if (at == std::string_view::npos) return -1;
  const std::string_view digits = message.substr(at + kQuestionName.size());
  int64_t number = -1;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return problem == std::errc() ? number : -1;
}

std::string shortened(const std::string& message) {
  constexpr size_t kMaxLength = 240;
  std::string text = message.substr(0, message.find('\n'));
  // "/.../onnxruntime/core/graph/graph.cc:1379 void onnxruntime::Graph::... [ShapeInferenceError] what is wrong"
  if (text.starts_with('/')) {
    const size_t start = text.find_first_of("[");
    const size_t afterFunction = text.find(") ");
    if (start != std::string::npos) {
      text.erase(0, start);
    } else if (afterFunction != std::string::npos) {
      text.erase(0, afterFunction + 2);
    }
  }
  if (text.size() > kMaxLength) text = text.substr(0, kMaxLength) + "...";
  return text.empty() ? "no message" : text;
}

Result<std::vector<Answer>> askAbout(const std::shared_ptr<Host>& host, const OnnxruntimeOptions& options,
                                     const CapabilityRequest& request, std::span<const NodeId> nodes) {
  CUTAWAY_TRY(const LibraryFacts library, host->library([&] { return request.progress.cancelled(); }));
  const std::string configuration = configurationOf(library, options);
  const std::lock_guard lock(memory().mutex);
  auto& known = memory().answers;
  if (known.size() > kMaxRemembered) known.clear();
  Questioner questioner(host, options, request);
  std::vector<Answer> answers(nodes.size());
  std::vector<NodeId> open;
  std::vector<std::string> openForms;
  std::vector<std::vector<size_t>> openPlaces;  // of nodes with that form
  std::unordered_map<std::string, size_t> openByForm;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (request.graph.node(nodes[i]).hasBodies()) {
      CUTAWAY_TRY(std::vector<Answer> said, questioner.ask({&nodes[i], 1}));
      answers[i] = std::move(said[0]);
      continue;
    }
    std::string form = configuration + '|' + formOf(request.graph, nodes[i]);
    if (const auto answer = known.find(form); answer != known.end()) {
      answers[i] = *answer->second;
      continue;
    }
    const auto [place, isNew] = openByForm.try_emplace(form, open.size());
    if (isNew) {
      open.push_back(nodes[i]);
      openForms.push_back(std::move(form));
      openPlaces.emplace_back();
    }
    openPlaces[place->second].push_back(i);
  }
  for (size_t begin = 0; begin < open.size(); begin += kQuestionsAtOnce) {
    const auto part = std::span<const NodeId>(open).subspan(begin, std::min(kQuestionsAtOnce, open.size() - begin));
    CUTAWAY_TRY(const std::vector<Answer> said, questioner.ask(part));
    for (size_t i = 0; i < part.size(); ++i) {
      known[openForms[begin + i]] = std::make_shared<const Answer>(said[i]);
      for (const size_t place : openPlaces[begin + i])
        answers[place] = said[i];
    }
  }
  return answers;
}

}  // namespace cutaway::onnxruntime
