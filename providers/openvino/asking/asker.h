#pragma once
// Who puts questions to OpenVINO: this process, or one beside it that may die of an answer.
//
// Its readers of models are not made for hostile ones: some forms end the process, take all memory or never come back.
// In the other process each of these is an answer like others. Thread rule: who holds its turn. Example:
//   Asker& asker = separateAsker(bridge);  const auto turn = asker.turn(progress);  asker.begin(progress);
//   judged = asker.judge(bytes, outputs, 12, "CPU", progress, problem);

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "engine/base/file_descriptor.h"
#include "engine/base/progress.h"
#include "providers/openvino/asking/wire.h"

namespace onnx {
class TensorProto;
}  // namespace onnx

namespace cutaway {
class Tensor;
}  // namespace cutaway

namespace cutaway::openvino {

class Asker {
 public:
  virtual ~Asker() = default;
  // Held from begin() to the last question. Owns nothing once `progress` is cancelled, or where nobody has to wait.
  virtual std::unique_lock<std::timed_mutex> turn(const Progress& progress) = 0;
  // Before a questions model is written: writeLarge() and what is asked next belong together.
  virtual void begin(const Progress& progress) = 0;
  // Bridge::judge. A problem, too, when the process that was asked died of it, or `progress` was cancelled.
  virtual std::vector<Judged> judge(const std::string& onnxModel, const std::vector<ExpectedOutput>& outputs,
                                    size_t count, const std::string& device, const Progress& progress,
                                    std::string& problem) = 0;
  // Bridge::conversionProblem.
  virtual std::string conversionProblem(const std::string& onnxModel, const Progress& progress) = 0;
  // Why Bridge::importBlob does not take a blob; empty: it does, or this process would have to try, which the import
  // itself does as well.
  virtual std::string importProblem(const std::string& blob, const std::string& device, const Progress& progress) = 0;
  // Fills the message for a large constant of a questions model; false: its bytes are written.
  virtual bool writeLarge(const Tensor& tensor, const std::string& name, onnx::TensorProto& proto) = 0;
};

// In this process. Constants go by address.
class OwnAsker final : public Asker {
 public:
  explicit OwnAsker(Bridge& bridge) : m_bridge(bridge) {}
  std::unique_lock<std::timed_mutex> turn(const Progress& progress) override;
  void begin(const Progress& progress) override;
  std::vector<Judged> judge(const std::string& onnxModel, const std::vector<ExpectedOutput>& outputs, size_t count,
                            const std::string& device, const Progress& progress, std::string& problem) override;
  std::string conversionProblem(const std::string& onnxModel, const Progress& progress) override;
  std::string importProblem(const std::string& blob, const std::string& device, const Progress& progress) override;
  bool writeLarge(const Tensor& tensor, const std::string& name, onnx::TensorProto& proto) override;

 private:
  Bridge& m_bridge;
};

// How OpenVINO came through a group.
struct Trial {
  bool isKnown = false;
  std::string problem;  // what it died of
};

// In a process of its own, started when first asked, and again when it died. Constants beyond kMostSentBytes are zeros
// there: what OpenVINO takes does not follow from so many values. Where no such process can be had, or OpenVINO is
// another one there, this process asks.
class SeparateAsker final : public Asker {
 public:
  explicit SeparateAsker(Bridge& bridge) : m_bridge(bridge), m_own(bridge) {}
  ~SeparateAsker() override;
  SeparateAsker(const SeparateAsker&) = delete;
  SeparateAsker& operator=(const SeparateAsker&) = delete;

  // Starts the process and does not wait for it: it opens OpenVINO while the program is busy with something else.
  // Nothing while somebody asks.
  void prepare();
  std::unique_lock<std::timed_mutex> turn(const Progress& progress) override;
  void begin(const Progress& progress) override;
  std::vector<Judged> judge(const std::string& onnxModel, const std::vector<ExpectedOutput>& outputs, size_t count,
                            const std::string& device, const Progress& progress, std::string& problem) override;
  std::string conversionProblem(const std::string& onnxModel, const Progress& progress) override;
  std::string importProblem(const std::string& blob, const std::string& device, const Progress& progress) override;
  bool writeLarge(const Tensor& tensor, const std::string& name, onnx::TensorProto& proto) override;
  // Compiles the group that writeLarge() helped to write, and runs it once on zeros.
  Trial tryGroup(std::string onnxModel, const CompileSettings& settings, const Progress& progress);

  pid_t process() const { return m_process; }                                     // -1: there is none now
  void setPatience(std::chrono::nanoseconds patience) { m_patience = patience; }  // of each inquiry; for tests
  static constexpr int64_t kMostSentBytes = int64_t{1} << 20;

 private:
  bool asksItself() const { return m_unavailable && !m_wasThere; }
  // What came of a question; without `said`, the state of the frame, how the process ended, and how long it had.
  struct Reply {
    std::optional<Said> said;
    FrameState state = FrameState::kClosed;
    std::optional<int> status;  // waitpid()
    std::chrono::nanoseconds patience{0};
  };
  void launch();
  void greet(const Progress& progress);
  std::optional<int> end();  // kills and reaps it
  static Trial trialOf(const Reply& reply, const char* work);
  Reply exchange(const std::string& bytes, std::chrono::nanoseconds patience, const Progress& progress);
  // Said::problem, too, where there is no answer.
  Said ask(const Inquiry& inquiry, std::chrono::nanoseconds patience, const Progress& progress);

  Bridge& m_bridge;
  OwnAsker m_own;
  std::timed_mutex m_mutex;
  pid_t m_process = -1;
  pid_t m_owner = -1;  // a process that was forked from this one starts its own
  FileDescriptor m_socket;
  Greeting m_greeting;
  bool m_isGreeted = false;
  int64_t m_lastUsedNs = 0;
  std::chrono::nanoseconds m_patience{0};  // 0: by the number of questions
  // Where it cannot be had at all, this process asks; where it was had and cannot be started again, nobody does.
  bool m_unavailable = false, m_wasThere = false;
};

// The one of this program; lives as long as it.
SeparateAsker& separateAsker(Bridge& bridge);

}  // namespace cutaway::openvino
