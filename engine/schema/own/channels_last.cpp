#include "engine/schema/own/channels_last.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>

#include "engine/schema/onnx_schemas.h"
#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

constexpr std::array<std::string_view, 19> kOperators = {"AveragePool",
                                                         "BatchNormalization",
                                                         "Conv",
                                                         "ConvTranspose",
                                                         "DepthToSpace",
                                                         "GlobalAveragePool",
                                                         "GlobalLpPool",
                                                         "GlobalMaxPool",
                                                         "GridSample",
                                                         "InstanceNormalization",
                                                         "LRN",
                                                         "LpPool",
                                                         "MaxPool",
                                                         "QLinearConv",
                                                         "Resize",
                                                         "SpaceToDepth",
                                                         "FusedConv",
                                                         "QLinearAveragePool",
                                                         "QLinearGlobalAveragePool"};

// N, spatial..., C as N, C, spatial..., and back.
onnx::TypeProto plainOrder(const onnx::TypeProto& type) {
  onnx::TypeProto plain = type;
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return plain;
  auto* dims = plain.mutable_tensor_type()->mutable_shape()->mutable_dim();
  for (int axis = dims->size() - 1; axis > 1; --axis)
    dims->SwapElements(axis, axis - 1);
  return plain;
}
void toChannelsLast(onnx::TypeProto& type) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return;
  auto* dims = type.mutable_tensor_type()->mutable_shape()->mutable_dim();
  for (int axis = 1; axis + 1 < dims->size(); ++axis)
    dims->SwapElements(axis, axis + 1);
}

// What the ordinary operator's rule is shown: its first input with channels second.
class PlainContext : public onnx::InferenceContext {
 public:
  explicit PlainContext(onnx::InferenceContext& real) : m_real(real) {
    if (real.hasInput(0) && real.getInputType(0) != nullptr) m_first = plainOrder(*real.getInputType(0));
  }

  const onnx::AttributeProto* getAttribute(const std::string& name) const override { return m_real.getAttribute(name); }
  size_t getNumInputs() const override { return m_real.getNumInputs(); }
  const onnx::TypeProto* getInputType(size_t index) const override {
    return index == 0 && m_real.getInputType(0) != nullptr ? &m_first : m_real.getInputType(index);
  }
  // Values of these (scales, sizes) are in the order of the layout: the rule must not see them.
  const onnx::TensorProto* getInputData(size_t) const override { return nullptr; }
  const onnx::SparseTensorProto* getInputSparseData(size_t index) const override {
    return m_real.getInputSparseData(index);
  }
  const onnx::TensorShapeProto* getSymbolicInput(size_t) const override { return nullptr; }
  size_t getNumOutputs() const override { return m_real.getNumOutputs(); }
  onnx::TypeProto* getOutputType(size_t index) override { return m_real.getOutputType(index); }
  onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override {
    return m_real.getGraphAttributeInferencer(name);
  }

 private:
  onnx::InferenceContext& m_real;
  onnx::TypeProto m_first;
};

std::unique_ptr<onnx::OpSchema> makeSchema(const onnx::OpSchema& plain) {
  auto schema = std::make_unique<onnx::OpSchema>(plain);
  schema->SetDomain(std::string(kChannelsLast));
  schema->SetDoc("The operator of the same name of " + (plain.domain().empty() ? "ai.onnx" : plain.domain()) +
                 " with the channels of its first input and output last (NHWC). onnxruntime's optimiser writes it for "
                 "execution providers that prefer that layout; it is expanded to the ordinary operator between two "
                 "Transposes.\n\n" +
                 (plain.doc() == nullptr ? "" : plain.doc()));
  if (plain.has_type_and_shape_inference_function()) {
    schema->TypeAndShapeInferenceFunction(
        [infer = plain.GetTypeAndShapeInferenceFunction()](onnx::InferenceContext& context) {
          PlainContext shown(context);
          infer(shown);
          if (context.getNumOutputs() > 0) toChannelsLast(*context.getOutputType(0));
        });
  }
  return schema;
}

}  // namespace

const onnx::OpSchema* findChannelsLastSchema(const std::string& opType, int64_t opsetVersion) {
  if (std::ranges::find(kOperators, std::string_view(opType)) == kOperators.end()) return nullptr;
  const int version = static_cast<int>(std::clamp<int64_t>(opsetVersion, 1, 1 << 20));
  const onnx::OpSchema* plain = findOnnxSchema(opType, "", version);
  if (plain == nullptr) plain = findOwnSchema(opType, std::string(kMicrosoft), 1);
  if (plain == nullptr) return nullptr;
  static std::mutex mutex;
  static std::map<const onnx::OpSchema*, std::unique_ptr<onnx::OpSchema>> made;
  const std::lock_guard lock(mutex);
  auto& schema = made[plain];
  if (!schema) schema = makeSchema(*plain);
  return schema.get();
}

}  // namespace cutaway::own
