#include "engine/stages/load/text_model.h"

#include <algorithm>
#include <array>

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>
#include <onnx/onnx_pb.h>

#include "engine/base/input_budget.h"

namespace cutaway::load {

namespace {

class FirstProblem : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, google::protobuf::io::ColumnNumber column, const std::string& message) override {
    if (m_message.empty()) m_message = fmt::format("line {}, column {}: {}", line + 1, column + 1, message);
  }
  const std::string& message() const { return m_message; }

 private:
  std::string m_message;
};

}  // namespace

bool hasTextExtension(const std::filesystem::path& path) {
  constexpr std::array kExtensions = {".textproto", ".prototxt", ".pbtxt", ".onnxtxt", ".txt"};
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::find(kExtensions, extension) != kExtensions.end();
}

Result<std::string> binaryFromText(std::string_view text) {
  if (text.size() >= kInputBudget.textBytes)
    return fail(ErrorCode::kInvalidProtobuf, "text models of 2 GB and more are not read");
  FirstProblem problem;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&problem);
  parser.SetRecursionLimit(kInputBudget.textDepth);
  google::protobuf::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  onnx::ModelProto model;
  if (!parser.Parse(&stream, &model)) {
    return fail(ErrorCode::kInvalidProtobuf, "this is not an ONNX model as text: {}",
                problem.message().empty() ? "it does not parse" : problem.message());
  }
  std::string binary;
  if (!model.SerializeToString(&binary))
    return fail(ErrorCode::kInvalidProtobuf, "the text model does not fit the 2 GB limit of its binary form");
  return binary;
}

}  // namespace cutaway::load
