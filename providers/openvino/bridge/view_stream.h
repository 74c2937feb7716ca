#pragma once
// Streams over bytes that lie somewhere else, and into a text that grows: without a copy between.
//
// Thread rule: one stream, one thread.
// Example: ViewBuffer buffer(text.data(), text.size());  std::istream stream(&buffer);

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <streambuf>
#include <string>

namespace cutaway::openvino {

class ViewBuffer final : public std::streambuf {
 public:
  ViewBuffer(const char* data, size_t sizeBytes) {
    char* begin = const_cast<char*>(data);  // streambuf reads through pointers to non-const
    setg(begin, begin, begin + sizeBytes);
  }

 protected:
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override {
    char* const base = from == std::ios_base::beg ? eback() : from == std::ios_base::cur ? gptr() : egptr();
    if (offset < eback() - base || offset > egptr() - base) return pos_type(off_type(-1));
    char* const target = base + offset;
    setg(eback(), target, egptr());
    return pos_type(target - eback());
  }
  pos_type seekpos(pos_type position, std::ios_base::openmode which) override {
    return seekoff(off_type(position), std::ios_base::beg, which);
  }
};

// Bytes are appended, or put over those that are there: exporters write their head last.
class GrowingBuffer final : public std::streambuf {
 public:
  GrowingBuffer(std::string& bytes, const std::function<bool()>& cancelled) : m_bytes(bytes), m_cancelled(cancelled) {}

 protected:
  std::streamsize xsputn(const char* data, std::streamsize count) override {
    if (m_cancelled && m_cancelled()) throw std::runtime_error("cancelled");
    const auto size = static_cast<size_t>(count);
    const size_t over = std::min(size, m_bytes.size() - m_position);
    std::copy_n(data, over, m_bytes.begin() + static_cast<std::ptrdiff_t>(m_position));
    m_bytes.append(data + over, size - over);
    m_position += size;
    return count;
  }
  int_type overflow(int_type character) override {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    const char byte = traits_type::to_char_type(character);
    xsputn(&byte, 1);
    return character;
  }
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override {
    const off_type end = static_cast<off_type>(m_bytes.size());
    const off_type target = (from == std::ios_base::beg   ? 0
                             : from == std::ios_base::cur ? static_cast<off_type>(m_position)
                                                          : end) +
                            offset;
    if (target < 0 || target > end) return pos_type(off_type(-1));
    m_position = static_cast<size_t>(target);
    return pos_type(target);
  }
  pos_type seekpos(pos_type position, std::ios_base::openmode which) override {
    return seekoff(off_type(position), std::ios_base::beg, which);
  }

 private:
  std::string& m_bytes;
  const std::function<bool()>& m_cancelled;
  size_t m_position = 0;
};

}  // namespace cutaway::openvino
