#pragma once
// A program that runs beside this one, and does not outlive it.
//
// The child is in a process group of its own, which kill() ends as a whole; it dies with the thread that started it
// (Linux's parent death signal), so that a runner that is killed leaves nothing behind that would be done twice. Thread
// rule: the main thread. Example:
//   CUTAWAY_TRY(ChildProcess child, ChildProcess::start({"sbatch", "--version"}, {}));
//   while (!child.ended(exit)) waitForChildren(100);

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "engine/base/result.h"

namespace cutaway::sweep {

struct ChildExit {
  int code = 0, signal = 0;  // signal 0: it ended by itself with that code
  int64_t peakBytes = 0;     // resident, of the child and those it waited for
};

struct ChildFiles {
  std::string output, errors;  // files that take them; empty: nobody reads them
  std::string folder;          // to start in; empty: this one
};

class ChildProcess {
 public:
  // FAIL: no process can be started. A program that cannot be run ends with code 127.
  static Result<ChildProcess> start(const std::vector<std::string>& command, const ChildFiles& files);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();  // killed, unless it ended

  std::optional<ChildExit> ended();  // without waiting; once
  void kill();

 private:
  explicit ChildProcess(pid_t process) : m_process(process) {}
  pid_t m_process = -1;
};

// Returns as soon as a child ends, and after so long at the latest. Children are started after the first call.
void waitForChildren(int64_t milliseconds);

inline constexpr int kCannotStart = 127;

// Which line of its errors says why a program failed.
enum class TellingLine { kFirst, kLast };

// Runs to the end and gives what it printed. FAIL: it cannot be started, takes longer, or ends with another code than
// 0: the error's message is that line of what it said.
Result<std::string> outputOf(const std::vector<std::string>& command, double timeoutSeconds,
                             TellingLine telling = TellingLine::kLast);

}  // namespace cutaway::sweep
