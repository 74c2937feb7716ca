// Compiled models: ports, requests over the caller's memory, blobs out and in.
#include "providers/openvino/bridge/compiled.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "providers/openvino/bridge/element.h"
#include "providers/openvino/bridge/guard.h"
#include "providers/openvino/bridge/view_stream.h"

namespace cutaway::openvino {

namespace {

Port portOf(const ov::Output<const ov::Node>& output) {
  Port port{.element = onnxElementOf(output.get_element_type()),
            .isStatic = false,
            .isPassed = false,
            .dims = {},
            .names = {}};
  // A parameter keeps its own name, also where it is passed through and takes the name of the result.
  port.names.push_back(output.get_node()->get_friendly_name());
  for (const std::string& name : output.get_names())
    port.names.push_back(name);
  const ov::PartialShape& shape = output.get_partial_shape();
  port.isStatic = shape.is_static();
  if (shape.rank().is_static()) {
    for (const ov::Dimension& dim : shape)
      port.dims.push_back(dim.is_static() ? dim.get_length() : -1);
  }
  return port;
}

// Memory that takes no room until it is written to.
using Zeros = std::unique_ptr<void, void (*)(void*)>;

ov::Tensor tensorOf(const TensorView& view) {
  static int64_t nothing = 0;  // OpenVINO refuses null pointers, also of empty tensors
  const ov::element::Type type = elementOf(view.element);
  if (type == ov::element::dynamic)
    throw std::runtime_error("OpenVINO has no element type for ONNX's number " + std::to_string(view.element));
  return ov::Tensor(type, ov::Shape(view.dims, view.dims + view.rank), view.data == nullptr ? &nothing : view.data);
}

class RequestOver final : public Request {
 public:
  explicit RequestOver(ov::InferRequest request) : m_request(std::move(request)) {}

  void bindInput(size_t slot, const TensorView& view, std::string& problem) override {
    guarded(problem, [&] { m_request.set_input_tensor(slot, tensorOf(view)); });
  }
  void bindOutput(size_t slot, const TensorView& view, std::string& problem) override {
    guarded(problem, [&] { m_request.set_output_tensor(slot, tensorOf(view)); });
  }
  void run(std::string& problem) override {
    guarded(problem, [&] { m_request.infer(); });
  }
  TensorView output(size_t slot, std::string& problem) override {
    return guarded(problem, [&]() -> TensorView {
      m_fetched = m_request.get_output_tensor(slot);
      const ov::Shape shape = m_fetched.get_shape();
      m_dims.assign(shape.begin(), shape.end());
      return {onnxElementOf(m_fetched.get_element_type()), m_dims.data(), m_dims.size(),
              const_cast<void*>(std::as_const(m_fetched).data())};
    });
  }

 private:
  ov::InferRequest m_request;
  ov::Tensor m_fetched;  // may be the only one that holds the memory of an output with open shape
  std::vector<int64_t> m_dims;
};

class CompiledOver final : public Compiled {
 public:
  explicit CompiledOver(ov::CompiledModel model) : m_model(std::move(model)) {
    for (const auto& input : m_model.inputs())
      m_inputs.push_back(portOf(input));
    for (const auto& output : m_model.outputs())
      m_outputs.push_back(portOf(output));
    // A value that is passed through has the names of both its ends.
    for (Port& output : m_outputs) {
      output.isPassed = std::any_of(m_inputs.begin(), m_inputs.end(), [&](const Port& input) {
        return std::any_of(output.names.begin(), output.names.end(), [&](const std::string& name) {
          return std::find(input.names.begin(), input.names.end(), name) != input.names.end();
        });
      });
    }
  }

  const std::vector<Port>& inputs() const override { return m_inputs; }
  const std::vector<Port>& outputs() const override { return m_outputs; }

  std::unique_ptr<Request> makeRequest(std::string& problem) override {
    return guarded(problem, [&]() -> std::unique_ptr<Request> {
      return std::make_unique<RequestOver>(m_model.create_infer_request());
    });
  }

  void runOnZeros(std::string& problem) override {
    guarded(problem, [&] {
      std::vector<Zeros> zeros;
      ov::InferRequest request = m_model.create_infer_request();
      if (!std::all_of(m_inputs.begin(), m_inputs.end(), [](const Port& input) { return input.isStatic; })) return;
      for (const ov::Output<const ov::Node>& input : m_model.inputs()) {
        const ov::element::Type type = input.get_element_type();
        const ov::Shape shape = input.get_shape();
        const size_t bytes = (ov::shape_size(shape) * type.bitwidth() + 7) / 8;
        Zeros& memory = zeros.emplace_back(std::calloc(std::max<size_t>(bytes, 1), 1), &std::free);
        if (memory == nullptr) throw std::bad_alloc();
        request.set_input_tensor(zeros.size() - 1, ov::Tensor(type, shape, memory.get()));
      }
      request.infer();
    });
  }

  void exportBlob(std::string& blob, const std::function<bool()>& cancelled, std::string& problem) override {
    guarded(problem, [&] {
      GrowingBuffer buffer(blob, cancelled);
      std::ostream stream(&buffer);
      stream.exceptions(std::ios::badbit);  // what the buffer throws comes through
      m_model.export_model(stream);
    });
  }

 private:
  ov::CompiledModel m_model;
  std::vector<Port> m_inputs;
  std::vector<Port> m_outputs;
};

}  // namespace

ov::AnyMap propertiesOf(const CompileSettings& settings) {
  ov::AnyMap properties;
  for (const auto& [key, value] : settings.properties)
    properties[key] = value;
  return properties;
}

std::unique_ptr<Compiled> wrapCompiled(ov::CompiledModel model) {
  return std::make_unique<CompiledOver>(std::move(model));
}

std::unique_ptr<Compiled> importCompiled(ov::Core& core, const BlobView& blob, const CompileSettings& settings) {
  const ov::AnyMap properties = propertiesOf(settings);
  try {
    return wrapCompiled(core.import_model(ov::Tensor(ov::element::u8, ov::Shape{blob.sizeBytes}, blob.data),
                                          settings.device, properties));
  } catch (const ov::NotImplemented&) {
    // Plugins that only know streams copy what they read.
    ViewBuffer buffer(static_cast<const char*>(blob.data), blob.sizeBytes);
    std::istream stream(&buffer);
    return wrapCompiled(core.import_model(stream, settings.device, properties));
  }
}

}  // namespace cutaway::openvino
