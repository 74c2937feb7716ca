#pragma once
// oneDNN's exceptions as errors of ours, for the kernels here and for the provider that compiles groups.
//
// Thread rule: pure. Example: return attempt("convolution", [&] { primitive = dnnl::convolution_forward(description);
// });

#include <string>
#include <string_view>

#include <oneapi/dnnl/dnnl.hpp>

#include "engine/base/result.h"
#include "engine/base/short_memory.h"

namespace cutaway::math::onednn {

inline std::string inLibrary(std::string_view what) {
  return fmt::format("in oneDNN's {}", what);
}

// For who goes another way where the library refuses: short memory is no refusal.
inline void throwOutOfMemory(const dnnl::error& error) {
  if (error.status == dnnl_out_of_memory) throw std::bad_alloc();
}

// Runs body. NOT_IMPLEMENTED when the library has no such primitive, INVALID_ARGUMENT when its operands do not fit each
// other, RUNTIME_EXCEPTION when memory ran out, ENGINE_ERROR otherwise.
template <typename Body>
Result<void> attempt(std::string_view what, Body&& body) {
  try {
    body();
    return {};
  } catch (const dnnl::error& error) {
    if (error.status == dnnl_out_of_memory) return fail(outOfMemory(std::bad_alloc(), inLibrary(what)));
    // Sizes that do not fit each other are the model's fault, not the library's.
    const ErrorCode code = error.status == dnnl_unimplemented       ? ErrorCode::kNotImplemented
                           : error.status == dnnl_invalid_arguments ? ErrorCode::kInvalidArgument
                                                                    : ErrorCode::kEngineError;
    return fail(code, "oneDNN {}: {}", what, error.what());
  } catch (const std::bad_alloc& refused) {
    return fail(outOfMemory(refused, inLibrary(what)));
  } catch (const std::exception& error) {
    return fail(ErrorCode::kEngineError, "oneDNN {}: {}", what, error.what());
  }
}

}  // namespace cutaway::math::onednn
