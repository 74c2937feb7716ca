#include "app/cli/output.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "app/cli/verb.h"
#include "engine/base/printable.h"
#include "engine/base/read_mark.h"

namespace cutaway::cli {
namespace {

int g_outputError = 0;  // the first errno of standard output

// Every line on its own, so that their ends stay.
void putLines(std::string_view text, std::FILE* stream) {
  std::string shown;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    shown += printable(text.substr(0, end));
    if (end == std::string_view::npos) break;
    shown += '\n';
    text.remove_prefix(end + 1);
  }
  if (std::fwrite(shown.data(), 1, shown.size(), stream) != shown.size() && stream == stdout && g_outputError == 0)
    g_outputError = errno;
}

}  // namespace

void beginOutput() {
  // A closed input or error stream becomes nothing; a closed output stays one that takes nothing.
  constexpr std::array kModes = {O_RDONLY, O_RDONLY, O_WRONLY};
  for (int stream = 0; stream < 3; ++stream) {
    if (::fcntl(stream, F_GETFD) == -1 && errno == EBADF)
      (void)::open("/dev/null", kModes[static_cast<size_t>(stream)]);  // the lowest free number, which is this one
  }
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
  keepReadMarks();
}

int finishOutput(std::string_view program, int code) {
  if (std::fflush(stdout) != 0 && g_outputError == 0) g_outputError = errno;
  if (g_outputError == 0 && std::ferror(stdout) != 0) g_outputError = EIO;
  if (g_outputError == 0) return code;
  putError("{}: standard output cannot be written: {}\n", program, std::generic_category().message(g_outputError));
  return code == kDone || code == kCheckFailed ? static_cast<int>(kNotWritten) : code;
}

void putText(std::string_view text) {
  putLines(text, stdout);
}

void putErrorText(std::string_view text) {
  putLines(text, stderr);
}

void putRaw(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() && g_outputError == 0) g_outputError = errno;
}

}  // namespace cutaway::cli
