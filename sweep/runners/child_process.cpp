#include "sweep/runners/child_process.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/new_file.h"
#include "engine/base/printable.h"
#include "engine/base/read_text_file.h"

namespace cutaway::sweep {

namespace {

constexpr int64_t kLargestOutput = 256 * 1024 * 1024;

// SIGCHLD is blocked for good: waitForChildren() takes it, and none is missed in between.
sigset_t childSignal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  return set;
}

void redirect(int target, const std::string& file, int flags) {
  const int opened = ::open(file.empty() ? "/dev/null" : file.c_str(), flags, 0666);
  if (opened < 0) _exit(kCannotStart);
  dup2(opened, target);
}

[[noreturn]] void runInChild(std::vector<char*>& arguments, const ChildFiles& files, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kCannotStart);  // it ended before that was asked for
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int each : {SIGINT, SIGTERM, SIGXFSZ, SIGPIPE})
    std::signal(each, SIG_DFL);
  redirect(STDIN_FILENO, "", O_RDONLY);
  redirect(STDOUT_FILENO, files.output, O_WRONLY | O_CREAT | O_TRUNC);
  redirect(STDERR_FILENO, files.errors, O_WRONLY | O_CREAT | O_TRUNC);
  if (!files.folder.empty() && chdir(files.folder.c_str()) != 0) _exit(kCannotStart);
  // execvp gives what the system cannot run, such as a program for other processors, to the shell.
  if (std::strchr(arguments[0], '/') != nullptr)
    execv(arguments[0], arguments.data());
  else
    execvp(arguments[0], arguments.data());
  dprintf(STDERR_FILENO, "%s: %s\n", arguments[0], std::strerror(errno));
  _exit(kCannotStart);
}

std::string lineOf(const std::string& text, TellingLine telling) {
  const size_t begin = text.find_first_not_of(" \n\r\t"), end = text.find_last_not_of(" \n\r\t");
  if (end == std::string::npos) return "it said nothing";
  const std::string said = text.substr(begin, end - begin + 1);
  const std::string line =
      telling == TellingLine::kFirst ? said.substr(0, said.find('\n')) : said.substr(said.find_last_of('\n') + 1);
  return printable(shortenedText(line, 400));
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command, const ChildFiles& files) {
  const sigset_t set = childSignal();
  sigprocmask(SIG_BLOCK, &set, nullptr);
  std::vector<char*> arguments;
  for (const std::string& each : command)
    arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process < 0) return fail(ErrorCode::kFail, "no process can be started: {}", std::strerror(errno));
  if (process == 0) runInChild(arguments, files, parent);
  setpgid(process, process);  // whichever of the two is first
  return ChildProcess(process);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept : m_process(std::exchange(other.m_process, -1)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(m_process, other.m_process);
  return *this;
}

ChildProcess::~ChildProcess() {
  if (m_process < 0) return;
  kill();
  waitpid(m_process, nullptr, 0);
}

void ChildProcess::kill() {
  if (m_process > 0) ::kill(-m_process, SIGKILL);
}

std::optional<ChildExit> ChildProcess::ended() {
  int status = 0;
  rusage usage{};
  if (m_process < 0 || wait4(m_process, &status, WNOHANG, &usage) != m_process) return std::nullopt;
  ::kill(-m_process, SIGKILL);  // what it started and left behind
  m_process = -1;
  ChildExit exit{.peakBytes = static_cast<int64_t>(usage.ru_maxrss) * 1024};
  if (WIFSIGNALED(status))
    exit.signal = WTERMSIG(status);
  else
    exit.code = WEXITSTATUS(status);
  return exit;
}

void waitForChildren(int64_t milliseconds) {
  const sigset_t set = childSignal();
  sigprocmask(SIG_BLOCK, &set, nullptr);
  const timespec longest = {milliseconds / 1000, milliseconds % 1000 * 1'000'000};
  sigtimedwait(&set, nullptr, &longest);
}

Result<std::string> outputOf(const std::vector<std::string>& command, double timeoutSeconds, TellingLine telling) {
  std::error_code ignored, problem;
  const std::filesystem::path place = std::filesystem::temp_directory_path(problem);
  std::string folder = (place / "cutaway-output-XXXXXX").string();
  if (problem || mkdtemp(folder.data()) == nullptr)
    return fail(kNotWritten, "no temporary folder can be made: {}; TMPDIR names another place for it",
                problem ? problem.message() : std::strerror(errno));
  const ChildFiles files{folder + "/out", folder + "/err", ""};
  const Stopwatch watch;
  std::optional<ChildExit> exit;
  Result<std::string> text = std::string();
  if (Result<ChildProcess> child = ChildProcess::start(command, files); child) {
    while (!(exit = child->ended()) && static_cast<double>(watch.elapsedNs()) < timeoutSeconds * 1e9)
      waitForChildren(100);
    text = readTextFile(files.output, {.what = "the output", .largestBytes = kLargestOutput});
    const Result<std::string> said = readTextFile(files.errors, {.what = "the output", .largestBytes = kLargestOutput});
    if (!exit)
      text = fail(ErrorCode::kFail, "{} did not end within {:g} s", command.front(), timeoutSeconds);
    else if (exit->code != 0 && said && said->empty() && std::filesystem::space(folder, ignored).available == 0)
      text =
          fail(kNotWritten, "the disk of the temporary folder is full; free some space, or name another with TMPDIR");
    else if (exit->code != 0 || exit->signal != 0)
      text = fail(ErrorCode::kFail, "{}: {}", command.front(), lineOf(said ? *said : "", telling));
  } else {
    text = fail(child.error());
  }
  std::filesystem::remove_all(folder, ignored);
  return text;
}

}  // namespace cutaway::sweep
