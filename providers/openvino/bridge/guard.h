#pragma once
// Calls into OpenVINO with every exception turned into text.
//
// Thread rule: pure. Example: guarded(problem, [&] { request.infer(); });

#include <exception>
#include <string>

#include "engine/base/exception_text.h"

namespace cutaway::openvino {

// A default result and the exception's text in `problem` when `call` throws.
template <typename Call>
auto guarded(std::string& problem, Call&& call) -> decltype(call()) {
  problem.clear();
  try {
    return call();
  } catch (const std::exception& exception) {
    problem = exceptionText(exception);
    // OpenVINO passes on what() of others in exceptions of its own.
    if (problem.find("std::bad_alloc") != std::string::npos) problem = "out of memory";
    if (problem.empty()) problem = "OpenVINO gave no message";
  } catch (...) {
    problem = "OpenVINO threw something that is no std::exception";
  }
  return decltype(call())();
}

}  // namespace cutaway::openvino
