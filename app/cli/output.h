#pragma once
// What the programs print: to standard output and standard error, safe for a terminal, and never lost in silence.
//
// Names of a hostile model may hold anything: put() shows control characters and broken UTF-8 as escapes. A standard
// output that is full or closed is an error at the end, with a message and exit code 6. Thread rule: the main thread.
// Example: int main(...) { beginOutput(); ...; put("{} nodes\n", count); return finishOutput("cutaway-cli", code); }

#include <string_view>

#include <spdlog/fmt/fmt.h>

namespace cutaway::cli {

// First of all: standard streams that are closed must not become the first file that is opened. Limits on file sizes
// are errors from here on, not signals; children are heard of when they end, also where whoever started the program
// does not listen, which is inherited; what the program reads stays marked as read.
void beginOutput();
// Last of all. Gives code, or kNotWritten when standard output did not take everything.
int finishOutput(std::string_view program, int code);

void putText(std::string_view text);       // line ends pass, other control characters do not
void putErrorText(std::string_view text);  // on standard error
void putRaw(std::string_view bytes);       // as they are: JSON

template <typename... Args>
void put(fmt::format_string<Args...> format, Args&&... args) {
  putText(fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void putError(fmt::format_string<Args...> format, Args&&... args) {
  putErrorText(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace cutaway::cli
