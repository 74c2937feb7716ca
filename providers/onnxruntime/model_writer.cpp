#include "providers/onnxruntime/model_writer.h"

#include <charconv>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "engine/base/checked_math.h"
#include "engine/provider/group_builder.h"
#include "engine/schema/model_message.h"
#include "engine/schema/proto_writer.h"

namespace cutaway::onnxruntime {

namespace {

constexpr const char* kWeightsName = "cutaway.weights";
constexpr int64_t kWeightAlignment = 64;
constexpr std::string_view kNumberedStart = "cutaway_n";

// Gives each tensor its place; tensors that share their bytes share the place. Only initializers of the graph itself
// have one: for those of bodies, and for attributes, the library looks in files alone.
class WeightPlan {
 public:
  explicit WeightPlan(const Graph& graph) {
    for (const ValueId id : graph.initializers())
      m_initializers.emplace(graph.value(id).name, graph.value(id).initializer->data());
  }

  bool place(const Tensor& tensor, const std::string& name, onnx::TensorProto& proto) {
    const int64_t size = tensor.sizeBytes();
    const auto initializer = m_initializers.find(name);
    if (initializer == m_initializers.end() || initializer->second != tensor.data()) return false;
    if (tensor.type() == ElementType::kString || size < kElsewhereBytes) return false;
    const auto [known, isNew] = m_places.try_emplace(tensor.data(), Place{m_total, size});
    if (isNew) {
      m_tensors.push_back(&tensor);
      m_total += alignUp(size, kWeightAlignment);
    } else if (known->second.size != size) {
      return false;
    }
    writeExternalTensor(tensor, name,
                        {.location = kWeightsName,
                         .offset = static_cast<uint64_t>(known->second.offset),
                         .length = static_cast<uint64_t>(size)},
                        proto);
    return true;
  }

  Result<std::vector<SharedWeights>> copy() const {
    std::vector<SharedWeights> weights;
    if (m_tensors.empty()) return weights;
    CUTAWAY_TRY(auto memory, SharedMemory::create(static_cast<size_t>(m_total)));
    for (const Tensor* const tensor : m_tensors) {
      const std::span<const std::byte> bytes = tensor->bytes();
      std::memcpy(memory->bytes().data() + m_places.at(tensor->data()).offset, bytes.data(), bytes.size());
    }
    weights.push_back({kWeightsName, std::move(memory)});
    return weights;
  }

 private:
  struct Place {
    int64_t offset = 0;
    int64_t size = 0;
  };
  std::unordered_map<std::string, const void*> m_initializers;  // by name: where their bytes are
  std::unordered_map<const void*, Place> m_places;
  std::vector<const Tensor*> m_tensors;
  int64_t m_total = 0;
};

}  // namespace

namespace {

Result<GroupModel> finish(const onnx::ModelProto& proto, const WeightPlan& plan) {
  CUTAWAY_TRY(const std::string bytes, modelBytes(proto));
  GroupModel model;
  CUTAWAY_TRY(model.model, SharedMemory::of(bytes));
  model.modelBytes = bytes.size();
  CUTAWAY_TRY(model.weights, plan.copy());
  return model;
}

void writeValue(const Graph& graph, ValueId id, const KnownShapes& known, onnx::ValueInfoProto& info) {
  const Value& value = graph.value(id);
  info.set_name(value.name);
  const auto shape = known.find(value.name);
  const bool isOpen = value.type.isTensor() && (!value.type.shape || !value.type.shape->isStatic());
  if (shape == known.end() || !isOpen) {
    writeType(value.type, *info.mutable_type());
    return;
  }
  writeType(ValueType::tensor(value.type.element, Shape::of(shape->second)), *info.mutable_type());
}

}  // namespace

Result<GroupModel> writeGroupModel(const Graph& graph, const std::vector<OpsetImport>& opsets) {
  WeightPlan plan(graph);
  onnx::ModelProto proto;
  writeModelHeader(opsets, proto);
  writeGraph(graph, *proto.mutable_graph(),
             [&](const Tensor& tensor, const std::string& name, onnx::TensorProto& target) {
               return plan.place(tensor, name, target);
             });
  return finish(proto, plan);
}

std::string numberedName(NodeId id) {
  return fmt::format("{}{}", kNumberedStart, id.index());
}

std::optional<NodeId> numberIn(std::string_view name) {
  const size_t at = name.find(kNumberedStart);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = name.substr(at + kNumberedStart.size());
  uint32_t number = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (problem != std::errc()) return std::nullopt;
  return NodeId{number};
}

Result<GroupModel> writeNumberedModel(const Graph& graph, std::span<const NodeId> nodes,
                                      const std::vector<OpsetImport>& opsets, InnerTypes types,
                                      const KnownShapes& known) {
  WeightPlan plan(graph);
  const ExternalWriter external = [&](const Tensor& tensor, const std::string& name, onnx::TensorProto& target) {
    return plan.place(tensor, name, target);
  };
  onnx::ModelProto proto;
  writeModelHeader(opsets, proto);
  onnx::GraphProto& written = *proto.mutable_graph();
  written.set_name(graph.name().empty() ? "graph" : graph.name());
  std::unordered_set<ValueId> constants;
  for (const NodeId id : nodes) {
    const Node& node = graph.node(id);
    onnx::NodeProto& message = *written.add_node();
    writeNode(graph, node, message, true, external);
    message.set_name(numberedName(id));
    for (const std::span<const ValueId> values :
         {std::span<const ValueId>(node.inputs), std::span<const ValueId>(node.implicitInputs)}) {
      for (const ValueId value : values) {
        if (!value.valid() || !graph.isConstant(value) || !constants.insert(value).second) continue;
        const Value& constant = graph.value(value);
        onnx::TensorProto& target = *written.add_initializer();
        if (!external(*constant.initializer, constant.name, target))
          writeTensor(*constant.initializer, constant.name, target);
      }
    }
  }
  const GroupBorder border = borderOf(graph, nodes, false);
  for (const ValueId value : border.inputs)
    writeValue(graph, value, known, *written.add_input());
  std::unordered_set<ValueId> outside;
  for (const ValueId value : border.outputs) {
    writeValue(graph, value, known, *written.add_output());
    outside.insert(value);
  }
  if (types == InnerTypes::kWritten) {
    for (const NodeId id : nodes) {
      for (const ValueId value : graph.node(id).outputs) {
        if (value.valid() && !outside.contains(value) && graph.value(value).type.isTensor())
          writeValue(graph, value, known, *written.add_value_info());
      }
    }
  }
  return finish(proto, plan);
}

}  // namespace cutaway::onnxruntime
