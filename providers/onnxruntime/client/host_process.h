#pragma once
// One process that hosts ONNX Runtime: started, asked, and ended.
//
// Its standard output and error end in a pipe, so that nothing it prints disturbs ours; the last of it are its last
// words. It is killed when this program ends, or this object. Thread rule: one thread at a time. Example:
//   CUTAWAY_TRY(auto process, HostProcess::start(program));
//   CUTAWAY_TRY(const Frame reply, process->ask(MessageKind::kHello, toBytes(hello), {}, {.seconds = 20}));

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <sys/types.h>
#include <unistd.h>

#include "providers/onnxruntime/protocol/channel.h"
#include "providers/onnxruntime/protocol/messages.h"

namespace cutaway::onnxruntime {

struct Patience {
  double seconds = 0;               // beyond it the host hangs
  std::function<bool()> stopped{};  // true: the user wants no answer any more
  int64_t spinNs = 0;
  int64_t sleepNs = 0;  // Channel::Waiting, before that
};

class HostProcess {
 public:
  // EP_FAIL: there is no such program, or the system starts no process.
  static Result<std::unique_ptr<HostProcess>> start(const std::filesystem::path& program);
  ~HostProcess();  // ends it
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;

  // Sends a request and waits for its reply. EP_FAIL with how the process ended and its last words,
  // MODEL_LOAD_CANCELED: in both cases it is gone afterwards, and lost() says so.
  Result<Frame> ask(MessageKind kind, std::string_view body, std::span<const int> files, const Patience& patience);
  bool lost() const { return m_process < 0; }
  bool timedOut() const { return m_timedOut; }  // it is lost because it gave no answer in time
  pid_t process() const { return m_process; }
  // False in a process that was forked from the one that started it: its answers are not for us.
  bool isOurs() const { return m_owner == getpid(); }
  // A folder of this process alone, for files that ONNX Runtime writes by name. Made by the host when it needs it.
  const std::filesystem::path& scratch() const { return m_scratch; }

 private:
  HostProcess(pid_t process, Channel channel, FileDescriptor output, std::filesystem::path scratch);
  void readOutput();
  tl::unexpected<Error> giveUp(MessageKind kind, const std::string& what);
  std::string end();  // kills and reaps it; how it ended

  pid_t m_process;
  pid_t m_owner;  // a child that was forked from this program has no business with it
  Channel m_channel;
  FileDescriptor m_output;
  std::filesystem::path m_scratch;
  std::string m_said;  // the end of what it printed
  uint64_t m_request = 0;
  bool m_timedOut = false;
};

}  // namespace cutaway::onnxruntime
