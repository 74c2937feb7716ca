#include "providers/onnxruntime/protocol/channel.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "engine/base/clock.h"

namespace cutaway::onnxruntime {

namespace {

constexpr size_t kBufferBytes = sizeof(FrameHeader) + kMostInlineBytes;
constexpr size_t kMostFiles = kMostDescriptors + 1;  // and the body's

Received state(ChannelState state, std::string problem = {}) {
  return {.state = state, .problem = std::move(problem), .frame = {}};
}

// Milliseconds for poll(), rounded up; -1: for ever.
int pollMs(int64_t untilNs) {
  if (untilNs == 0) return -1;
  return static_cast<int>(std::clamp<int64_t>((untilNs - nowNs() + 999'999) / 1'000'000, 0, 60'000));
}

struct FileRoom {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostFiles)> bytes{};
};

std::vector<FileDescriptor> filesOf(msghdr& message) {
  std::vector<FileDescriptor> files;
  for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr; each = CMSG_NXTHDR(&message, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int file = -1;
      std::memcpy(&file, CMSG_DATA(each) + i * sizeof(int), sizeof file);
      files.emplace_back(file);
    }
  }
  return files;
}

}  // namespace

std::string problemOf(const FrameHeader& header, size_t bytesHere, size_t descriptorsHere) {
  if (header.magic != kMagic) return "it does not begin with the magic number";
  if (header.version != kProtocolVersion)
    return fmt::format("it is of version {} of the protocol, and {} is spoken here", header.version, kProtocolVersion);
  if (header.bodyElsewhere > 1) return "its body is nowhere";
  if (header.bodyBytes > kMostBodyBytes) return fmt::format("it announces {} bytes", header.bodyBytes);
  if (header.descriptors > kMostDescriptors) return fmt::format("it announces {} descriptors", header.descriptors);
  if (header.bodyElsewhere == 0 && header.bodyBytes != bytesHere)
    return fmt::format("it announces {} bytes and has {}", header.bodyBytes, bytesHere);
  if (header.bodyElsewhere == 1 && bytesHere != 0) return "it has its body in two places";
  if (header.descriptors + header.bodyElsewhere != descriptorsHere)
    return fmt::format("it announces {} descriptors and has {}", header.descriptors + header.bodyElsewhere,
                       descriptorsHere);
  return {};
}

Result<std::pair<Channel, Channel>> Channel::pair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(ErrorCode::kFail, "no pair of sockets can be made: {}", std::strerror(errno));
  return std::pair(Channel(FileDescriptor(ends[0])), Channel(FileDescriptor(ends[1])));
}

Received Channel::send(uint16_t kind, uint64_t request, std::string_view body, std::span<const int> files,
                       int64_t deadlineNs) {
  FrameHeader header{.kind = kind,
                     .request = request,
                     .bodyBytes = body.size(),
                     .descriptors = static_cast<uint32_t>(files.size()),
                     .bodyElsewhere = body.size() > kMostInlineBytes ? 1u : 0u};
  if (body.size() > kMostBodyBytes || files.size() > kMostDescriptors)
    return state(ChannelState::kBroken, "a message is longer than the protocol allows");
  std::vector<int> numbers;
  std::shared_ptr<const SharedMemory> elsewhere;
  if (header.bodyElsewhere == 1) {
    Result<std::shared_ptr<const SharedMemory>> memory = SharedMemory::of(body);
    if (!memory) return state(ChannelState::kBroken, memory.error().message);
    elsewhere = *std::move(memory);
    numbers.push_back(elsewhere->file());
  }
  numbers.insert(numbers.end(), files.begin(), files.end());

  std::array<iovec, 2> parts{{{&header, sizeof header}, {const_cast<char*>(body.data()), body.size()}}};
  FileRoom room;
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = elsewhere || body.empty() ? 1 : 2;
  if (!numbers.empty()) {
    message.msg_control = room.bytes.data();
    message.msg_controllen = CMSG_SPACE(sizeof(int) * numbers.size());
    cmsghdr* const control = CMSG_FIRSTHDR(&message);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof(int) * numbers.size());
    std::memcpy(CMSG_DATA(control), numbers.data(), sizeof(int) * numbers.size());
  }
  for (;;) {
    if (sendmsg(socket(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) return state(ChannelState::kGood);
    if (errno == EINTR) continue;
    if (errno == EPIPE || errno == ECONNRESET) return state(ChannelState::kClosed);
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != ENOBUFS)
      return state(ChannelState::kBroken, std::strerror(errno));
    if (deadlineNs != 0 && nowNs() >= deadlineNs) return state(ChannelState::kTimedOut);
    pollfd writable{socket(), POLLOUT, 0};
    poll(&writable, 1, pollMs(deadlineNs));
  }
}

std::optional<Received> Channel::takeFrame() {
  m_buffer.resize(kBufferBytes);
  FileRoom room;
  iovec part{m_buffer.data(), m_buffer.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = room.bytes.data();
  message.msg_controllen = room.bytes.size();
  const ssize_t count = recvmsg(socket(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (count < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return std::nullopt;
    if (errno == ECONNRESET) return state(ChannelState::kClosed);
    return state(ChannelState::kBroken, std::strerror(errno));
  }
  std::vector<FileDescriptor> files = filesOf(message);  // owned before anything can go wrong
  if (count == 0) return state(ChannelState::kClosed);
  FrameHeader header;
  if (static_cast<size_t>(count) < sizeof header || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0)
    return state(ChannelState::kBroken, "it does not have the length of a frame");
  std::memcpy(&header, m_buffer.data(), sizeof header);
  const size_t bytesHere = static_cast<size_t>(count) - sizeof header;
  if (std::string problem = problemOf(header, bytesHere, files.size()); !problem.empty())
    return state(ChannelState::kBroken, std::move(problem));
  Received received;
  received.frame.kind = header.kind;
  received.frame.request = header.request;
  if (header.bodyElsewhere == 0) {
    received.frame.body.assign(m_buffer.data() + sizeof header, bytesHere);
  } else {
    const auto memory = SharedMemory::open(std::move(files.front()), header.bodyBytes);
    if (!memory) return state(ChannelState::kBroken, memory.error().message);
    received.frame.body.assign((*memory)->text().substr(0, header.bodyBytes));
    files.erase(files.begin());
  }
  received.frame.files = std::move(files);
  return received;
}

Received Channel::receive(const Waiting& waiting) {
  const int64_t spinFromNs = waiting.spinNs > 0 ? nowNs() + waiting.sleepNs : 0;
  const int64_t spinUntilNs = spinFromNs + waiting.spinNs;
  int other = waiting.alsoReadable;
  for (;;) {
    if (std::optional<Received> received = takeFrame()) return *std::move(received);
    const int64_t now = nowNs();
    if (now >= spinFromNs && now < spinUntilNs) continue;
    if (waiting.stopped && waiting.stopped()) return state(ChannelState::kStopped);
    if (waiting.deadlineNs != 0 && now >= waiting.deadlineNs) return state(ChannelState::kTimedOut);
    int64_t untilNs = waiting.deadlineNs;
    const auto atLatest = [&](int64_t timeNs) { untilNs = untilNs == 0 ? timeNs : std::min(untilNs, timeNs); };
    if (waiting.stopped) atLatest(now + waiting.lookNs);
    if (now < spinFromNs) atLatest(spinFromNs);
    std::array<pollfd, 2> descriptors{{{socket(), POLLIN, 0}, {other, POLLIN, 0}}};
    const int64_t leftNs = std::max<int64_t>(untilNs - now, 0);
    const timespec left{.tv_sec = leftNs / 1'000'000'000, .tv_nsec = leftNs % 1'000'000'000};
    if (ppoll(descriptors.data(), other < 0 ? 1 : 2, untilNs == 0 ? nullptr : &left, nullptr) <= 0) continue;
    if ((descriptors[1].revents & POLLIN) != 0 && waiting.onReadable) {
      waiting.onReadable();
    } else if (descriptors[1].revents != 0) {
      other = -1;  // its other end is gone
    }
  }
}

}  // namespace cutaway::onnxruntime
