#include "app/program_heap/memory_end.h"

#include <array>
#include <cstdlib>
#include <exception>
#include <new>
#include <thread>
#include <utility>

#include <unistd.h>

#include "engine/base/short_memory.h"

namespace cutaway {

namespace {

MemoryEnd g_end;
std::thread::id g_thread;
std::terminate_handler g_before = nullptr;

// There is no memory to make a text.
void tell(const std::bad_alloc& refused) {
  std::array<char, 512> words;
  size_t length = 0;
  const auto add = [&]<typename... Args>(fmt::format_string<Args...> format, Args&&... args) {
    const auto written =
        fmt::format_to_n(words.data() + length, words.size() - length, format, std::forward<Args>(args)...);
    length = static_cast<size_t>(written.out - words.data());
  };
  add("{}: RUNTIME_EXCEPTION: out of memory", g_end.program);
  if (const auto* const known = dynamic_cast<const RefusedAllocation*>(&refused)) {
    const std::string_view doing = known->doing();
    add(" ({} bytes{}{})", known->sizeBytes(), doing.empty() ? "" : ", in ", doing);
  }
  add(": {}\n", g_end.advice);
  [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, words.data(), length);
}

[[noreturn]] void endTold() {
  const bool isMine = !g_end.onlyThisThread || std::this_thread::get_id() == g_thread;
  if (isMine && std::current_exception() != nullptr) {
    try {
      throw;
    } catch (const std::bad_alloc& refused) {
      tell(refused);
      std::_Exit(g_end.exitCode);
    } catch (...) {  // as it would have ended
    }
  }
  if (g_before != nullptr) g_before();
  std::abort();
}

}  // namespace

void tellEndOfMemory(const MemoryEnd& end) {
  g_end = end;
  g_thread = std::this_thread::get_id();
  g_before = std::set_terminate(endTold);
}

}  // namespace cutaway
