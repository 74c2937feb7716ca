#pragma once
// Which of a provider's verbose lines tell why it left a node out: its log holds tens of thousands that nobody reads,
// and each costs more to be kept than to be written.
//
// Thread rule: the filter belongs to one thread's lines, in their order. Example:
//   if (filter.isKept(function, message)) { if (const auto held = filter.takeHeld(function)) write(*held); write(own);
//   }

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cutaway::onnxruntime {

// The functions that write them: QNN's verdict on a node, the node that its compiler is asked about, what the compiler
// says, and a pass of questions, where WebGPU tells of kernels that it lacks; ONNX Runtime's own preference.
inline constexpr std::string_view kVerdictLines = "LogNodeSupport";
inline constexpr std::string_view kCompilerLines = "CreateQnnNode";
inline constexpr std::string_view kComplaintLines = "QnnLogging";
inline constexpr std::string_view kPassLines = "GetCapabilityImpl";
inline constexpr std::string_view kPreferenceLines = "GetCpuPreferredNodes";
// How they begin.
inline constexpr std::string_view kRefusedVerdict = "Validation FAILED";
inline constexpr std::string_view kCompilerNode = "Qnn_OpConfig node name: ";

// Lines that matter only where another follows them are held until it does.
class LineFilter {
 public:
  struct HeldLine {
    std::string message, file, function;
    int number = 0;
  };

  bool isKept(std::string_view function, std::string_view message) {
    if (function == kVerdictLines) {
      const bool isRefusal = message.starts_with(kRefusedVerdict);
      // A verdict ends what was said of its node.
      if (!isRefusal) m_held.reset();
      return isRefusal || m_hasTold;
    }
    return function == kPassLines || function == kComplaintLines || function == kPreferenceLines;
  }
  bool isHeld(std::string_view function, std::string_view message) const {
    return function == kCompilerLines && message.starts_with(kCompilerNode);
  }
  void hold(std::string_view message, std::string_view file, int number, std::string_view function) {
    m_held = HeldLine{std::string(message), std::string(file), std::string(function), number};
  }
  // Before a line of this function that is kept.
  std::optional<HeldLine> takeHeld(std::string_view function) {
    m_hasTold = function != kVerdictLines;
    return std::exchange(m_held, std::nullopt);
  }

 private:
  std::optional<HeldLine> m_held;
  bool m_hasTold = false;  // something since the last verdict
};

}  // namespace cutaway::onnxruntime
