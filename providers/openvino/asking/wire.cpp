// Bodies are numbers of 8 bytes and texts with their length before them, one field after the other.
#include "providers/openvino/asking/wire.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>

namespace cutaway::openvino {

namespace {

constexpr int kLookMs = 20;

class Writer {
 public:
  void number(uint64_t value) { m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    m_bytes += value;
  }
  std::string take() { return std::move(m_bytes); }

 private:
  std::string m_bytes;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : m_rest(bytes) {}

  // 0 once something did not fit.
  uint64_t number() {
    uint64_t value = 0;
    m_good = m_good && m_rest.size() >= sizeof value;
    if (!m_good) return 0;
    std::memcpy(&value, m_rest.data(), sizeof value);
    m_rest.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const uint64_t length = number();
    m_good = m_good && length <= m_rest.size();
    if (!m_good) return {};
    std::string value(m_rest.substr(0, length));
    m_rest.remove_prefix(length);
    return value;
  }
  // Of a list whose elements take 8 bytes at least: what cannot be there is not believed.
  uint64_t count() {
    const uint64_t length = number();
    m_good = m_good && length <= m_rest.size() / sizeof length;
    return m_good ? length : 0;
  }
  bool has(bool isRight) { return m_good = m_good && isRight; }
  bool done() const { return m_good && m_rest.empty(); }

 private:
  std::string_view m_rest;
  bool m_good = true;
};

// Moves bytes one way until all went, with a look at `stopped` while the other side makes none ready.
template <typename Move>
FrameState moveAll(int socket, short event, size_t bytes, const std::function<bool()>& stopped, Move&& move) {
  for (size_t moved = 0; moved < bytes;) {
    pollfd ready{socket, event, 0};
    const int found = poll(&ready, 1, kLookMs);
    if (stopped && stopped()) return FrameState::kStopped;
    if (found < 0 && errno != EINTR) return FrameState::kBroken;
    if (found <= 0) continue;
    const ssize_t count = move(moved);
    if (count == 0) return FrameState::kClosed;
    if (count > 0) moved += static_cast<size_t>(count);
    if (count < 0 && errno != EINTR && errno != EAGAIN) return FrameState::kClosed;
  }
  return FrameState::kGood;
}

FrameState sendAll(int socket, std::string_view bytes, const std::function<bool()>& stopped) {
  return moveAll(socket, POLLOUT, bytes.size(), stopped, [&](size_t at) {
    return send(socket, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL | MSG_DONTWAIT);
  });
}

FrameState receiveAll(int socket, char* data, size_t bytes, const std::function<bool()>& stopped) {
  return moveAll(socket, POLLIN, bytes, stopped,
                 [&](size_t at) { return recv(socket, data + at, bytes - at, MSG_DONTWAIT); });
}

}  // namespace

std::string bytesOf(const Greeting& greeting) {
  Writer writer;
  writer.text(greeting.version);
  writer.number(greeting.zerosAt);
  writer.number(greeting.zeroBytes);
  writer.number(greeting.memoryBytes);
  return writer.take();
}

std::optional<Greeting> greetingFrom(std::string_view bytes) {
  Reader reader(bytes);
  Greeting greeting;
  greeting.version = reader.text();
  greeting.zerosAt = reader.number();
  greeting.zeroBytes = reader.number();
  greeting.memoryBytes = reader.number();
  if (!reader.done()) return std::nullopt;
  return greeting;
}

std::string bytesOf(const Inquiry& inquiry) {
  Writer writer;
  writer.number(static_cast<uint64_t>(inquiry.kind));
  writer.text(inquiry.model);
  writer.text(inquiry.device);
  writer.number(inquiry.count);
  writer.number(inquiry.outputs.size());
  for (const ExpectedOutput& output : inquiry.outputs) {
    writer.number(output.question);
    writer.text(output.name);
    writer.number(static_cast<uint64_t>(output.element));
    writer.number(output.isRanked ? 1 : 0);
    writer.number(output.dims.size());
    for (const int64_t dim : output.dims)
      writer.number(static_cast<uint64_t>(dim));
  }
  writer.number(inquiry.properties.size());
  for (const auto& [key, value] : inquiry.properties) {
    writer.text(key);
    writer.text(value);
  }
  return writer.take();
}

std::optional<Inquiry> inquiryFrom(std::string_view bytes) {
  Reader reader(bytes);
  Inquiry inquiry;
  const uint64_t kind = reader.number();
  reader.has(kind >= static_cast<uint64_t>(InquiryKind::kJudge) &&
             kind <= static_cast<uint64_t>(InquiryKind::kRunOnZeros));
  inquiry.kind = static_cast<InquiryKind>(kind);
  inquiry.model = reader.text();
  inquiry.device = reader.text();
  inquiry.count = reader.number();
  const uint64_t outputs = reader.count();
  // An answer for each question is made before anything is judged.
  reader.has(inquiry.count <= outputs);
  for (uint64_t i = 0; i < outputs && reader.has(true); ++i) {
    ExpectedOutput output;
    output.question = reader.number();
    output.name = reader.text();
    output.element = static_cast<int32_t>(reader.number());
    output.isRanked = reader.number() != 0;
    const uint64_t dims = reader.count();
    for (uint64_t axis = 0; axis < dims; ++axis)
      output.dims.push_back(static_cast<int64_t>(reader.number()));
    reader.has(output.question < inquiry.count || inquiry.kind != InquiryKind::kJudge);
    inquiry.outputs.push_back(std::move(output));
  }
  const uint64_t properties = reader.count();
  for (uint64_t i = 0; i < properties && reader.has(true); ++i) {
    std::string key = reader.text();
    inquiry.properties.emplace_back(std::move(key), reader.text());
  }
  if (!reader.done()) return std::nullopt;
  return inquiry;
}

std::string bytesOf(const Said& said) {
  Writer writer;
  writer.text(said.problem);
  writer.number(said.judged.size());
  for (const Judged& judged : said.judged) {
    writer.number(static_cast<uint64_t>(judged.judgement));
    writer.text(judged.operation);
  }
  return writer.take();
}

std::optional<Said> saidFrom(std::string_view bytes) {
  Reader reader(bytes);
  Said said;
  said.problem = reader.text();
  const uint64_t count = reader.count();
  for (uint64_t i = 0; i < count && reader.has(true); ++i) {
    const uint64_t judgement = reader.number();
    reader.has(judgement <= static_cast<uint64_t>(Judgement::kOtherResult));
    said.judged.push_back({static_cast<Judgement>(judgement), reader.text()});
  }
  if (!reader.done()) return std::nullopt;
  return said;
}

FrameState writeFrame(int socket, std::string_view body, const std::function<bool()>& stopped) {
  const uint64_t length = body.size();
  const FrameState state = sendAll(socket, {reinterpret_cast<const char*>(&length), sizeof length}, stopped);
  return state == FrameState::kGood ? sendAll(socket, body, stopped) : state;
}

FrameState readFrame(int socket, uint64_t mostBytes, std::string& body, const std::function<bool()>& stopped) {
  uint64_t length = 0;
  const FrameState state = receiveAll(socket, reinterpret_cast<char*>(&length), sizeof length, stopped);
  if (state != FrameState::kGood) return state;
  if (length > mostBytes) return FrameState::kBroken;
  body.resize(length);
  return receiveAll(socket, body.data(), body.size(), stopped);
}

}  // namespace cutaway::openvino
