#pragma once
// Calls into OpenVINO with every exception turned into text.
//
// Thread rule: pure. Example: guarded(problem, [&] { request.infer(); });

#include <exception>
#include <new>
#include <string>

namespace cutaway::openvino {

// A default result and the exception's text in `problem` when `call` throws.
template <typename Call>
auto guarded(std::string& problem, Call&& call) -> decltype(call()) {
  problem.clear();
  try {
    return call();
  } catch (const std::bad_alloc&) {
    problem = "out of memory";
  } catch (const std::exception& exception) {
    problem = exception.what();
    // OpenVINO passes on what() of others in exceptions of its own.
    if (problem.find("std::bad_alloc") != std::string::npos) problem = "out of memory";
    if (problem.empty()) problem = "OpenVINO gave no message";
  } catch (...) {
    problem = "OpenVINO threw something that is no std::exception";
  }
  return decltype(call())();
}

}  // namespace cutaway::openvino
