#include "app/desktop/memory_end.h"

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <thread>

#include <unistd.h>

namespace cutaway {

namespace {

constexpr std::string_view kLastWords =
    "cutaway: out of memory; close other programs or open a smaller model. What was open is offered at the next "
    "start.\n";

std::thread::id guiThread;
std::terminate_handler before = nullptr;

bool isOutOfMemory() {
  if (std::current_exception() == nullptr) return false;
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

// There is no memory to make a text, and nothing that is open can be closed in order.
[[noreturn]] void end() {
  if (std::this_thread::get_id() == guiThread && isOutOfMemory()) {
    [[maybe_unused]] const ssize_t told = write(STDERR_FILENO, kLastWords.data(), kLastWords.size());
    std::_Exit(EXIT_FAILURE);
  }
  if (before != nullptr) before();
  std::abort();
}

}  // namespace

void tellEndOfMemory() {
  guiThread = std::this_thread::get_id();
  before = std::set_terminate(end);
}

}  // namespace cutaway
