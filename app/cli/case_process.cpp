#include "app/cli/case_process.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <poll.h>
#include <spdlog/fmt/fmt.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/exception_text.h"

namespace cutaway::cli {

namespace {

struct Child {
  pid_t process = -1;
  int pipe = -1;
  size_t folder = 0;
  int64_t deadlineNs = 0;
  std::string output;
  bool timedOut = false;
};

constexpr int kPollMs = 50;  // also how soon Ctrl-C is noticed

// The outcome crosses the pipe as one letter, a line "count provider" for each provider, an empty line, and the
// message.
void writeOutcome(int pipe, const CaseOutcome& outcome) {
  std::string text(1, outcome.kind == CaseOutcome::Kind::kPassed    ? 'p'
                      : outcome.kind == CaseOutcome::Kind::kSkipped ? 's'
                                                                    : 'f');
  for (const auto& [provider, nodes] : outcome.claimedNodes)
    text += fmt::format("{} {}\n", nodes, provider);
  text += '\n';
  text += outcome.message;
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = write(pipe, text.data() + at, text.size() - at);
    if (written <= 0) return;
    at += static_cast<size_t>(written);
  }
}

[[noreturn]] void runInChild(int pipe, const RunOneCase& runOne, const std::filesystem::path& folder) {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  CaseOutcome outcome{CaseOutcome::Kind::kFailed, "an exception left the engine"};
  try {
    outcome = runOne(folder);
  } catch (const std::exception& error) {
    outcome.message = fmt::format("an exception left the engine: {}", exceptionText(error));
  }
  writeOutcome(pipe, outcome);
  _exit(0);
}

CaseOutcome outcomeOf(const Child& child, int status, double timeoutSeconds) {
  if (child.timedOut) return {CaseOutcome::Kind::kFailed, fmt::format("no result after {:g} s", timeoutSeconds)};
  if (WIFSIGNALED(status))
    return {CaseOutcome::Kind::kFailed,
            fmt::format("crashed with signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)))};
  if (child.output.empty())
    return {CaseOutcome::Kind::kFailed, fmt::format("ended with code {} and no result", WEXITSTATUS(status))};
  const CaseOutcome::Kind kind = child.output[0] == 'p'   ? CaseOutcome::Kind::kPassed
                                 : child.output[0] == 's' ? CaseOutcome::Kind::kSkipped
                                                          : CaseOutcome::Kind::kFailed;
  CaseOutcome outcome{.kind = kind};
  size_t at = 1;
  for (size_t end = child.output.find('\n', at); end != std::string::npos && end > at;
       end = child.output.find('\n', at)) {
    const std::string line = child.output.substr(at, end - at);
    const size_t space = std::min(line.find(' '), line.size() - 1);
    outcome.claimedNodes[line.substr(space + 1)] = std::strtoll(line.c_str(), nullptr, 10);
    at = end + 1;
  }
  outcome.message = child.output.substr(std::min(at + 1, child.output.size()));
  return outcome;
}

// false at end of file.
bool readSome(Child& child) {
  char buffer[4096];
  const ssize_t count = read(child.pipe, buffer, sizeof buffer);
  if (count > 0) child.output.append(buffer, static_cast<size_t>(count));
  return count > 0;
}

Child startChild(size_t folder, const std::filesystem::path& path, const RunOneCase& runOne, double timeoutSeconds) {
  int ends[2];
  Child child{.process = -1,
              .pipe = -1,
              .folder = folder,
              .deadlineNs = nowNs() + static_cast<int64_t>(timeoutSeconds * 1e9),
              .output = {}};
  if (pipe(ends) != 0) return child;
  child.process = fork();
  if (child.process == 0) {
    close(ends[0]);
    runInChild(ends[1], runOne, path);
  }
  close(ends[1]);
  child.pipe = ends[0];
  return child;
}

}  // namespace

void runCases(const std::vector<std::filesystem::path>& folders, const CaseProcessOptions& options,
              const RunOneCase& runOne, const OnCaseDone& onDone, const CancelToken& cancel) {
  std::vector<Child> running;
  size_t next = 0;
  while (next < folders.size() || !running.empty()) {
    while (!cancel.cancelled() && next < folders.size() && running.size() < static_cast<size_t>(options.jobs)) {
      Child child = startChild(next, folders[next], runOne, options.timeoutSeconds);
      if (child.process < 0) {
        onDone(folders[next], {CaseOutcome::Kind::kFailed, "no process could be started"});
      } else {
        running.push_back(std::move(child));
      }
      ++next;
    }
    if (running.empty()) return;

    std::vector<pollfd> pipes;
    for (const Child& child : running)
      pipes.push_back({child.pipe, POLLIN, 0});
    poll(pipes.data(), pipes.size(), kPollMs);
    for (size_t i = running.size(); i-- > 0;) {
      Child& child = running[i];
      const bool late = nowNs() > child.deadlineNs;
      if (late || cancel.cancelled()) {
        child.timedOut = late;
        kill(child.process, SIGKILL);
      } else if (pipes[i].revents == 0 || readSome(child)) {
        continue;
      }
      int status = 0;
      waitpid(child.process, &status, 0);
      close(child.pipe);
      if (!cancel.cancelled()) onDone(folders[child.folder], outcomeOf(child, status, options.timeoutSeconds));
      running.erase(running.begin() + static_cast<ptrdiff_t>(i));
    }
    if (cancel.cancelled() && running.empty()) return;
  }
}

}  // namespace cutaway::cli
