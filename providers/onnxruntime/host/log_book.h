#pragma once
// What the library logs, from any of its threads, until the next reply takes it along.
//
// Bounded: beyond its room, lines are counted and lost. Thread rule: any thread.
// Example: LogBook book; api.check(abi::kCreateEnvironment, LogBook::write, &book, ...);  reply.log =
// book.take().lines;

#include <mutex>
#include <vector>

#include "providers/onnxruntime/abi/c_interface.h"
#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

class LogBook {
 public:
  struct Page {
    std::vector<LogLine> lines;
    uint64_t lost = 0;
  };
  Page take();
  // As abi::LogFunction; context: the book.
  static void write(void* context, abi::LogLevel severity, const char* category, const char* id, const char* location,
                    const char* message);

 private:
  std::mutex m_mutex;
  Page m_page;
  size_t m_bytes = 0;
};

}  // namespace cutaway::onnxruntime
