#include "providers/onnxruntime/custom/custom_types.h"

#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "engine/base/log.h"
#include "engine/schema/model_message.h"
#include "engine/schema/proto_writer.h"
#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/custom/custom_libraries.h"
#include "providers/onnxruntime/library.h"

namespace cutaway::onnxruntime {

namespace {

constexpr size_t kMostKept = 100'000;
constexpr double kMostSeconds = 60;
// Constants up to this size are part of the question: shapes may follow from them.
constexpr int64_t kMostConstantBytes = 4096;

struct Asked {
  std::mutex mutex;
  std::shared_ptr<Host> host;
  std::map<std::string, std::vector<ValueType>> answers;  // by the question's bytes
};

// Never destroyed: inference may go on in other threads while the program ends, and its host ends with it.
Asked& asked() {
  static auto* const instance = new Asked;
  return *instance;
}

bool isKnown(const ValueType& type) {
  return type.isTensor() && type.element != ElementType::kUndefined;
}

// The node alone, its outputs without types. Nothing where an input's type is not known.
std::string questionBytes(const Model& model, const Graph& graph, const Node& node) {
  onnx::ModelProto proto;
  writeModelHeader(model.opsets, proto);
  onnx::GraphProto& written = *proto.mutable_graph();
  written.set_name("question");
  writeNode(graph, node, *written.add_node(), false);
  written.mutable_node(0)->set_name("node");
  std::set<ValueId> seen;
  for (const ValueId id : node.inputs) {
    if (!id.valid() || !seen.insert(id).second) continue;
    const Value& value = graph.value(id);
    if (!isKnown(value.type)) return {};
    if (graph.isConstant(id) && value.initializer && value.initializer->sizeBytes() <= kMostConstantBytes) {
      writeTensor(*value.initializer, value.name, *written.add_initializer());
      continue;
    }
    onnx::ValueInfoProto& info = *written.add_input();
    info.set_name(value.name);
    writeType(value.type, *info.mutable_type());
  }
  for (const ValueId id : node.outputs) {
    if (id.valid()) written.add_output()->set_name(graph.value(id).name);
  }
  Result<std::string> bytes = modelBytes(proto);
  return bytes ? *std::move(bytes) : std::string();
}

ValueType typeFrom(const ValueFacts& facts) {
  if (facts.kind != ValueKind::kTensor) return {};
  if (!facts.isRanked) return ValueType::tensor(static_cast<ElementType>(facts.element), std::nullopt);
  std::vector<Dim> dims;
  for (size_t axis = 0; axis < facts.dims.size(); ++axis) {
    if (facts.dims[axis] >= 0) {
      dims.emplace_back(facts.dims[axis]);
    } else if (axis < facts.symbols.size() && !facts.symbols[axis].empty()) {
      dims.emplace_back(facts.symbols[axis]);
    } else {
      dims.emplace_back();
    }
  }
  return ValueType::tensor(static_cast<ElementType>(facts.element), Shape(std::move(dims)));
}

Result<std::vector<ValueFacts>> ask(Asked& memory, const std::string& question) {
  if (memory.host == nullptr) {
    CUTAWAY_TRY(const LibraryPlace place, findLibrary());
    memory.host = Host::of({.library = place.path, .requestSeconds = kMostSeconds, .target = "types"});
  }
  SessionRequest request;
  CUTAWAY_TRY(request.model, SharedMemory::of(question));
  request.settings.level = OptimizationLevel::kNone;
  request.settings.intraThreads = request.settings.interThreads = 1;
  request.settings.customOperators = customLibraryPaths();
  CUTAWAY_TRY(const std::unique_ptr<HostedSession> session, HostedSession::open(memory.host, std::move(request)));
  return session->facts().outputs;
}

}  // namespace

std::vector<ValueType> customOutputTypes(const Model& model, const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  // Values around a body are not at hand here.
  if (node.hasBodies()) return {};
  const std::string question = questionBytes(model, graph, node);
  if (question.empty()) return {};
  Asked& memory = asked();
  const std::lock_guard lock(memory.mutex);
  if (const auto known = memory.answers.find(question); known != memory.answers.end()) return known->second;
  if (memory.answers.size() >= kMostKept) memory.answers.clear();
  std::vector<ValueType>& types = memory.answers[question];
  const Result<std::vector<ValueFacts>> said = ask(memory, question);
  if (!said) {
    log::warn(log::Category::kProviders, "ONNX Runtime does not tell the types that {} of {} makes: {}", node.opType,
              node.domain, said.error().message);
    return types;
  }
  auto each = said->begin();
  for (const ValueId output : node.outputs)
    types.push_back(output.valid() && each != said->end() ? typeFrom(*each++) : ValueType());
  return types;
}

}  // namespace cutaway::onnxruntime
