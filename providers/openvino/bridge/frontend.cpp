// Reads a model from bytes without a copy of them: the frontend takes a stream, and the stream reads the string where it lies.
#include "providers/openvino/bridge/frontend.h"

#include <istream>
#include <openvino/frontend/manager.hpp>
#include <streambuf>

namespace cutaway::openvino {

namespace {

class TextBuffer final : public std::streambuf {
 public:
  explicit TextBuffer(const std::string& text) {
    char* begin = const_cast<char*>(text.data());  // streambuf reads through pointers to non-const
    setg(begin, begin, begin + text.size());
  }

 protected:
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override {
    char* const base = from == std::ios_base::beg ? eback() : from == std::ios_base::cur ? gptr() : egptr();
    char* const target = base + offset;
    if (target < eback() || target > egptr()) return pos_type(off_type(-1));
    setg(eback(), target, egptr());
    return pos_type(target - eback());
  }
  pos_type seekpos(pos_type position, std::ios_base::openmode which) override { return seekoff(off_type(position), std::ios_base::beg, which); }
};

template <typename Use>
std::shared_ptr<ov::Model> withLoaded(const std::string& onnxModel, Use&& use) {
  ov::frontend::FrontEndManager manager;
  const ov::frontend::FrontEnd::Ptr frontend = manager.load_by_framework("onnx");
  TextBuffer buffer(onnxModel);
  std::istream stream(&buffer);
  const ov::frontend::InputModel::Ptr loaded = frontend->load(static_cast<std::istream*>(&stream));
  return use(*frontend, loaded);
}

}  // namespace

std::shared_ptr<ov::Model> convertModel(const std::string& onnxModel) {
  return withLoaded(onnxModel, [](ov::frontend::FrontEnd& frontend, const auto& loaded) { return frontend.convert(loaded); });
}

std::shared_ptr<ov::Model> convertWhatWorks(const std::string& onnxModel) {
  return withLoaded(onnxModel, [](ov::frontend::FrontEnd& frontend, const auto& loaded) { return frontend.convert_partially(loaded); });
}

}  // namespace cutaway::openvino
