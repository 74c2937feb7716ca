#pragma once
// The interface of the module that stands between ONNX Runtime and plug-in providers and keeps what they ask for.
//
// ONNX Runtime is given the module in the plug-in's place; the module opens the plug-in and hands it the library's
// tables with some functions replaced. So each question to a provider is kept as it was: the nodes it was shown, the
// groups it asked for, the kernels it looked for and did not find. Thread rule: questions of one session come from one
// thread; the list is the listener's between two of them. Example:
//   const auto opened = openModule<CallRecorder>(kRecorderModule, folders);
//   opened.interface->serve("QNNExecutionProvider", path);   // then register opened's own path under that name
//   std::vector<CapabilityCall> calls;   opened.interface->listen(&calls, MayCompile::kWhole);

#include <cstdint>
#include <string>
#include <vector>

#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

// What a plug-in may have compiled while somebody listens.
enum class MayCompile : uint8_t {
  kAnything,
  kWhole,         // all of the model as one group; anything else is refused with MODEL_REQUIRES_COMPILATION
  kWholeAtFirst,  // and a question that it answers otherwise is the last
};

class CallRecorder {
 public:
  // Which library stands behind a registration.
  virtual void serve(const std::string& registration, const std::string& library) = 0;
  // Keeps calls there from now on; nullptr: no more.
  virtual void listen(std::vector<CapabilityCall>* calls, MayCompile what) = 0;
  // Whether a plug-in was told to compile since then.
  virtual bool hasCompiled() const = 0;

 protected:
  ~CallRecorder() = default;
};

// What a plug-in's compilation is refused with.
inline constexpr const char* kAskedOnly = "it was asked, and not told to compile";

inline constexpr const char* kRecorderFile = "libcutaway_ep_recorder.so";
inline constexpr const char* kRecorderEntry = "cutawayCallRecorder";
inline constexpr int kRecorderVersion = 4;

}  // namespace cutaway::onnxruntime
