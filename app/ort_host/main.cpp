// The process that foreign code runs in: started by Cutaway's other programs, never by people.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "providers/onnxruntime/host/server.h"
#include "providers/onnxruntime/protocol/host_start.h"
#include "providers/openvino/asking/serve.h"
#include "providers/openvino/asking/wire.h"

int main(int count, char** arguments) {
  if (count == 3) {
    const auto parent = static_cast<pid_t>(std::strtol(arguments[2], nullptr, 10));
    if (std::strcmp(arguments[1], cutaway::onnxruntime::kServe) == 0) return cutaway::onnxruntime::serve(parent);
    if (std::strcmp(arguments[1], cutaway::openvino::kAskOpenvino) == 0)
      return cutaway::openvino::serveQuestions(parent);
  }
  std::puts(
      "This program hosts ONNX Runtime, and asks OpenVINO, for cutaway and cutaway-cli, which start it when they need "
      "it.");
  return 2;
}
