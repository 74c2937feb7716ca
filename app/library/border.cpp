#include "app/library/border.h"

#include <algorithm>

#include "app/providers/provider_table.h"
#include "engine/session/walk/session_providers.h"

namespace cutaway::api {

namespace {

// Of the C++ type that stores one element; packed types are bytes.
size_t alignmentOf(cutaway::ElementType type) {
  switch (type) {
    case cutaway::ElementType::kString:
      return alignof(std::string);
    case cutaway::ElementType::kComplex64:
      return alignof(float);
    case cutaway::ElementType::kComplex128:
      return alignof(double);
    default:
      return static_cast<size_t>(std::max(1, bitsOf(type) / 8));
  }
}

cutaway::Tensor engineTensor(const NamedTensor& named) {
  const Tensor& given = named.tensor;
  const auto type = static_cast<cutaway::ElementType>(given.type);
  const auto refuse = [&](const std::string& why) {
    raise(atValue(cutaway::Error{ErrorCode::kInvalidArgument, fmt::format("feed '{}' {}", named.name, why), {}},
                  named.name));
  };
  if (!isKnown(type)) refuse("has no element type");
  const int64_t needed = orThrow(byteSize(type, given.shape));
  if (given.sizeBytes < needed || (given.data == nullptr && needed > 0))
    refuse(fmt::format("has {} bytes, and {}{} needs {}", given.data == nullptr ? 0 : given.sizeBytes,
                       cutaway::elementTypeName(type), dimsToText(given.shape), needed));
  cutaway::Tensor tensor = cutaway::Tensor::wrapConst(type, given.shape, given.data, given.owner);
  const bool aligned = reinterpret_cast<uintptr_t>(given.data) % alignmentOf(type) == 0;
  return aligned ? tensor : orThrow(tensor.clone());
}

}  // namespace

void raise(const cutaway::Error& error) {
  throw Error(std::string(errorCodeName(error.code)), error.message,
              {.file = error.where.file, .node = error.where.node, .value = error.where.value}, error.byPolicy);
}

load::ModelSource sourceOf(const Model& model) {
  if (model.bytes == nullptr) {
    if (model.path.empty()) raise({ErrorCode::kNoModel, "neither the path of a model nor its bytes are given", {}});
    return load::ModelSource::file(model.path);
  }
  load::ModelSource source =
      load::ModelSource::memory({static_cast<const std::byte*>(model.bytes), model.sizeBytes}, model.owner);
  source.path = model.path;
  return source;
}

session::Configuration configurationFrom(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{')
    return orThrow(session::configurationFromJson(text, "the configuration"));
  return orThrow(session::readConfiguration(text));
}

session::SessionOptions sessionOptions(const std::string& text, cutaway::Stage last, bool prepareRun) {
  session::SessionOptions options;
  orThrow(configurationFrom(text).applyTo(options, builtProviders()));
  options.lastStage = last;
  options.prepareRun = prepareRun;
  if (!options.providers.empty()) orThrow(session::createProviders(options, builtProviders()));
  return options;
}

std::vector<execute::Feed> feedsOf(const std::vector<NamedTensor>& tensors) {
  std::vector<execute::Feed> feeds;
  feeds.reserve(tensors.size());
  for (const NamedTensor& named : tensors)
    feeds.push_back({named.name, engineTensor(named)});
  return feeds;
}

NamedTensor publicTensor(const execute::Feed& value) {
  const auto refuse = [&](const char* what, const char* remedy) {
    raise(atValue(
        cutaway::Error{ErrorCode::kNotImplemented,
                       fmt::format("'{}' {}, which this library does not hand out; {}", value.name, what, remedy),
                       {}},
        value.name));
  };
  if (!value.value.isTensor()) refuse("is no tensor", "name the outputs that are tensors");
  const cutaway::Tensor& tensor = value.value.tensor();
  const DeviceType place = tensor.device().type;
  if (place != DeviceType::kCpu && place != DeviceType::kSimulated)
    refuse("lies in a device's memory", "put the provider cpu behind it");
  return {.name = value.name,
          .tensor = {.type = static_cast<ElementType>(tensor.type()),
                     .shape = {tensor.dims().begin(), tensor.dims().end()},
                     .data = tensor.data(),
                     .sizeBytes = tensor.sizeBytes(),
                     .owner = tensor.keepAlive()}};
}

}  // namespace cutaway::api
