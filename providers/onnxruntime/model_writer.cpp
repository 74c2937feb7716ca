#include "providers/onnxruntime/model_writer.h"

#include <cstring>
#include <unordered_map>

#include "engine/base/checked_math.h"
#include "engine/schema/model_message.h"
#include "engine/schema/proto_writer.h"

namespace cutaway::onnxruntime {

namespace {

constexpr const char* kWeightsName = "cutaway.weights";
constexpr int64_t kWeightAlignment = 64;

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

Result<GroupModel> writeGroupModel(const Graph& graph, const std::vector<OpsetImport>& opsets) {
  WeightPlan plan(graph);
  onnx::ModelProto proto;
  writeModelHeader(opsets, proto);
  writeGraph(graph, *proto.mutable_graph(),
             [&](const Tensor& tensor, const std::string& name, onnx::TensorProto& target) {
               return plan.place(tensor, name, target);
             });
  CUTAWAY_TRY(const std::string bytes, modelBytes(proto));
  GroupModel model;
  CUTAWAY_TRY(model.model, SharedMemory::of(bytes));
  model.modelBytes = bytes.size();
  CUTAWAY_TRY(model.weights, plan.copy());
  return model;
}

}  // namespace cutaway::onnxruntime
