// Reads a model from bytes without a copy of them: the frontend takes a stream, and the stream reads the string where
// it lies.
#include "providers/openvino/bridge/frontend.h"

#include <istream>

#include <openvino/frontend/manager.hpp>

#include "providers/openvino/bridge/view_stream.h"

namespace cutaway::openvino {

namespace {

template <typename Use>
std::shared_ptr<ov::Model> withLoaded(const std::string& onnxModel, Use&& use) {
  ov::frontend::FrontEndManager manager;
  const ov::frontend::FrontEnd::Ptr frontend = manager.load_by_framework("onnx");
  ViewBuffer buffer(onnxModel.data(), onnxModel.size());
  std::istream stream(&buffer);
  const ov::frontend::InputModel::Ptr loaded = frontend->load(static_cast<std::istream*>(&stream));
  return use(*frontend, loaded);
}

}  // namespace

std::shared_ptr<ov::Model> convertModel(const std::string& onnxModel) {
  return withLoaded(onnxModel,
                    [](ov::frontend::FrontEnd& frontend, const auto& loaded) { return frontend.convert(loaded); });
}

std::shared_ptr<ov::Model> convertWhatWorks(const std::string& onnxModel) {
  return withLoaded(onnxModel, [](ov::frontend::FrontEnd& frontend, const auto& loaded) {
    return frontend.convert_partially(loaded);
  });
}

}  // namespace cutaway::openvino
