#include "app/cli/case_process.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <optional>

#include <poll.h>
#include <spdlog/fmt/fmt.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/exception_text.h"

namespace cutaway::cli {

namespace {

// Cases that one child runs, one after the other: [next, end).
struct Span {
  size_t next = 0;
  size_t end = 0;
};

struct Child {
  pid_t process = -1;
  int pipe = -1;
  Span cases{};
  int64_t deadlineNs = 0;  // of the case that it is at
  std::string output{};    // what came of outcomes that are not whole yet
  bool timedOut = false;
};

constexpr int kPollMs = 50;  // also how soon Ctrl-C is noticed

// Time that passes for the limits: not while this process stands still, stopped or starved, and its children with it.
class RunningClock {
 public:
  int64_t now() {
    const int64_t read = nowNs();
    m_passedNs += std::min(read - m_lastNs, int64_t{20} * kPollMs * 1'000'000);
    m_lastNs = read;
    return m_passedNs;
  }

 private:
  int64_t m_lastNs = nowNs();
  int64_t m_passedNs = 0;
};

// The outcome crosses the pipe as a line with the length of what follows: one letter, a line "count provider" for each
// provider, an empty line, and the message.
void writeOutcome(int pipe, const CaseOutcome& outcome) {
  std::string text(1, outcome.kind == CaseOutcome::Kind::kPassed    ? 'p'
                      : outcome.kind == CaseOutcome::Kind::kSkipped ? 's'
                                                                    : 'f');
  for (const auto& [provider, nodes] : outcome.claimedNodes)
    text += fmt::format("{} {}\n", nodes, provider);
  text += '\n';
  text += outcome.message;
  text.insert(0, fmt::format("{}\n", text.size()));
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = write(pipe, text.data() + at, text.size() - at);
    if (written <= 0) return;
    at += static_cast<size_t>(written);
  }
}

CaseOutcome outcomeFrom(const std::string& text) {
  const CaseOutcome::Kind kind = text[0] == 'p'   ? CaseOutcome::Kind::kPassed
                                 : text[0] == 's' ? CaseOutcome::Kind::kSkipped
                                                  : CaseOutcome::Kind::kFailed;
  CaseOutcome outcome{.kind = kind};
  size_t at = 1;
  for (size_t end = text.find('\n', at); end != std::string::npos && end > at; end = text.find('\n', at)) {
    const std::string line = text.substr(at, end - at);
    const size_t space = std::min(line.find(' '), line.size() - 1);
    outcome.claimedNodes[line.substr(space + 1)] = std::strtoll(line.c_str(), nullptr, 10);
    at = end + 1;
  }
  outcome.message = text.substr(std::min(at + 1, text.size()));
  return outcome;
}

// The next outcome that has come whole, taken out of the child's output.
std::optional<CaseOutcome> takeOutcome(std::string& output) {
  const size_t line = output.find('\n');
  if (line == std::string::npos) return std::nullopt;
  const size_t length = std::strtoull(output.c_str(), nullptr, 10);
  if (length == 0 || output.size() - line - 1 < length) return std::nullopt;
  CaseOutcome outcome = outcomeFrom(output.substr(line + 1, length));
  output.erase(0, line + 1 + length);
  return outcome;
}

[[noreturn]] void runInChild(int pipe, const RunOneCase& runOne, const std::vector<std::filesystem::path>& folders,
                             Span cases) {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  for (; cases.next < cases.end; ++cases.next) {
    CaseOutcome outcome{CaseOutcome::Kind::kFailed, "an exception left the engine"};
    try {
      outcome = runOne(folders[cases.next]);
    } catch (const std::exception& error) {
      outcome.message = fmt::format("an exception left the engine: {}", exceptionText(error));
    }
    writeOutcome(pipe, outcome);
  }
  _exit(0);
}

// Of the case at which a child ended.
CaseOutcome outcomeOfEnd(const Child& child, int status, double timeoutSeconds) {
  if (child.timedOut) return {CaseOutcome::Kind::kFailed, fmt::format("no result after {:g} s", timeoutSeconds)};
  if (WIFSIGNALED(status))
    return {CaseOutcome::Kind::kFailed,
            fmt::format("crashed with signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)))};
  return {CaseOutcome::Kind::kFailed, fmt::format("ended with code {} and no result", WEXITSTATUS(status))};
}

// false at end of file.
bool readSome(Child& child) {
  char buffer[4096];
  const ssize_t count = read(child.pipe, buffer, sizeof buffer);
  if (count > 0) child.output.append(buffer, static_cast<size_t>(count));
  return count > 0;
}

Child startChild(Span cases, const std::vector<std::filesystem::path>& folders, const RunOneCase& runOne) {
  int ends[2];
  Child child{.cases = cases};
  if (pipe(ends) != 0) return child;
  child.process = fork();
  if (child.process == 0) {
    close(ends[0]);
    runInChild(ends[1], runOne, folders, cases);
  }
  close(ends[1]);
  child.pipe = ends[0];
  return child;
}

}  // namespace

void runCases(const std::vector<std::filesystem::path>& folders, const CaseProcessOptions& options,
              const RunOneCase& runOne, const OnCaseDone& onDone, const CancelToken& cancel) {
  std::deque<Span> waiting;
  const size_t each = static_cast<size_t>(std::max(options.casesPerProcess, 1));
  for (size_t first = 0; first < folders.size(); first += each)
    waiting.push_back({first, std::min(first + each, folders.size())});
  std::vector<Child> running;
  RunningClock clock;
  const int64_t limitNs = static_cast<int64_t>(options.timeoutSeconds * 1e9);
  while (!waiting.empty() || !running.empty()) {
    while (!cancel.cancelled() && !waiting.empty() && running.size() < static_cast<size_t>(options.jobs)) {
      Child child = startChild(waiting.front(), folders, runOne);
      waiting.pop_front();
      child.deadlineNs = clock.now() + limitNs;
      if (child.process < 0) {
        for (; child.cases.next < child.cases.end; ++child.cases.next)
          onDone(folders[child.cases.next], {CaseOutcome::Kind::kFailed, "no process could be started"});
      } else {
        running.push_back(std::move(child));
      }
    }
    if (running.empty()) return;

    std::vector<pollfd> pipes;
    for (const Child& child : running)
      pipes.push_back({child.pipe, POLLIN, 0});
    poll(pipes.data(), pipes.size(), kPollMs);
    const int64_t now = clock.now();
    for (size_t i = running.size(); i-- > 0;) {
      Child& child = running[i];
      bool ended = pipes[i].revents != 0 && !readSome(child);
      while (std::optional<CaseOutcome> outcome = takeOutcome(child.output)) {
        if (!cancel.cancelled()) onDone(folders[child.cases.next], *outcome);
        ++child.cases.next;
        child.deadlineNs = now + limitNs;
      }
      if (const bool late = now > child.deadlineNs; !ended && (late || cancel.cancelled())) {
        child.timedOut = late;
        kill(child.process, SIGKILL);
        ended = true;
      }
      if (!ended) continue;
      int status = 0;
      waitpid(child.process, &status, 0);
      close(child.pipe);
      if (child.cases.next < child.cases.end && !cancel.cancelled()) {
        onDone(folders[child.cases.next], outcomeOfEnd(child, status, options.timeoutSeconds));
        // Those behind it get a fresh process.
        if (++child.cases.next < child.cases.end) waiting.push_front(child.cases);
      }
      running.erase(running.begin() + static_cast<ptrdiff_t>(i));
    }
    if (cancel.cancelled() && running.empty()) return;
  }
}

}  // namespace cutaway::cli
