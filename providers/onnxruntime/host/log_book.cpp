#include "providers/onnxruntime/host/log_book.h"

#include <cstring>
#include <utility>

namespace cutaway::onnxruntime {

namespace {
constexpr size_t kMostBytes = 64 << 20;
}

LogBook::Page LogBook::take() {
  const std::lock_guard lock(m_mutex);
  m_bytes = 0;
  return std::exchange(m_page, {});
}

void LogBook::write(void* context, abi::LogLevel severity, const char* /*category*/, const char* /*id*/,
                    const char* location, const char* message) {
  LogBook& book = *static_cast<LogBook*>(context);
  LogLine line{.severity = static_cast<int32_t>(severity),
               .location = location == nullptr ? "" : location,
               .message = message == nullptr ? "" : message};
  const std::lock_guard lock(book.m_mutex);
  const size_t size = sizeof line + line.location.size() + line.message.size();
  if (book.m_bytes + size > kMostBytes) {
    ++book.m_page.lost;
    return;
  }
  book.m_bytes += size;
  book.m_page.lines.push_back(std::move(line));
}

}  // namespace cutaway::onnxruntime
