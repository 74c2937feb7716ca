#pragma once
// Calls into OpenVINO with exceptions turned into text; but for short memory, which is nothing that OpenVINO says.
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
    throw;
  } catch (const std::exception& exception) {
    problem = exception.what();
    // OpenVINO passes on what() of others in exceptions of its own.
    for (const char* const said : {"std::bad_alloc", "out of memory"})
      if (problem.find(said) != std::string::npos) throw std::bad_alloc();
    if (problem.empty()) problem = "OpenVINO gave no message";
  } catch (...) {
    problem = "OpenVINO threw something that is no std::exception";
  }
  return decltype(call())();
}

}  // namespace cutaway::openvino
