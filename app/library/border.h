#pragma once
// Between the library's public types and the engine's: errors become exceptions here, tensors change their names and
// keep their bytes.
//
// Thread rule: pure. Example: const session::RunResult result = orThrow(session.run(feeds, options));

#include <string>
#include <vector>

#include <cutaway/reports.h>
#include <cutaway/tensor.h>

#include "engine/execute/run_types.h"
#include "engine/session/configuration/configuration.h"
#include "engine/stages/load/load.h"

namespace cutaway::api {

[[noreturn]] void raise(const cutaway::Error& error);

template <typename T>
T orThrow(Result<T> result) {
  if (!result) raise(result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

load::ModelSource sourceOf(const Model& model);

// text: as reports.h says.
session::Configuration configurationFrom(const std::string& text);
// Options with all that the text says, and providers that this build has.
session::SessionOptions sessionOptions(const std::string& text, cutaway::Stage last, bool prepareRun);

// INVALID_ARGUMENT: too few bytes for type and shape. Data that is not aligned for its type is copied.
std::vector<execute::Feed> feedsOf(const std::vector<NamedTensor>& tensors);
// NOT_IMPLEMENTED: a value that is no tensor, or in a device's memory.
NamedTensor publicTensor(const execute::Feed& value);

}  // namespace cutaway::api
