#pragma once
// A model as the bytes of an ONNX file, in order, with its weights where the caller wants them.
//
// Thread rule: pure apart from the callbacks. Example: CUTAWAY_CHECK(writeModelBytes(model, [&](ByteSpan bytes) {
// return file->write(bytes); }));

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "engine/graph/model.h"

namespace cutaway::load {

using ByteSink = std::function<Result<void>(std::span<const std::byte>)>;

// A file beside the model that holds a tensor's bytes, as it will be named in the model.
struct ExternalPlace {
  std::string location;
  int64_t offset = 0;
};
// Asked once for every initializer and named tensor attribute that can lie outside (no strings, no types that files
// pack differently); nullopt: inside the model.
using TensorPlacer = std::function<Result<std::optional<ExternalPlace>>(const Tensor& tensor, const std::string& name)>;

inline constexpr int64_t kExternalDataAlignment = 4096;  // where tensors start in a file of their own: a page, so that
                                                         // they can be mapped and are aligned for any element type
inline constexpr int64_t kMaxMessageBytes = (int64_t{1} << 31) - 1;  // of a protobuf message, thus of a model's file

// FAIL: what stays inside passes 2 GB. Errors of the callbacks are passed on.
Result<void> writeModelBytes(const Model& model, const ByteSink& sink, const TensorPlacer& place = {});

}  // namespace cutaway::load
