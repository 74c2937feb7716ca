// What is spoken with other processes: messages and frames of the host process of onnxruntime, and of the process that
// asks OpenVINO.
#include <array>
#include <cstring>

#include <fcntl.h>
#include <sys/socket.h>

#include "engine/base/clock.h"
#include "engine/base/file_descriptor.h"
#include "providers/onnxruntime/protocol/ask_messages.h"
#include "providers/onnxruntime/protocol/channel.h"
#include "providers/onnxruntime/protocol/messages.h"
#include "providers/openvino/asking/wire.h"
#include "tests/fuzz/readers/targets.h"

namespace cutaway::fuzz {

namespace {

using namespace onnxruntime;

template <typename T>
void readMessage(std::string_view body) {
  ByteReader reader(body);
  T message;
  reader(message);
  if (!reader.good() || !reader.atEnd()) return;
  ByteWriter writer;
  writer(message);
  require(writer.take() == body, "a message is written otherwise than it was read");
}

constexpr auto kMessages = std::to_array<void (*)(std::string_view)>({readMessage<Hello>,
                                                                      readMessage<ShareMemory>,
                                                                      readMessage<DropMemory>,
                                                                      readMessage<PluginPlace>,
                                                                      readMessage<CustomLibraryPlace>,
                                                                      readMessage<BinaryPlace>,
                                                                      readMessage<AskProviders>,
                                                                      readMessage<CreateSession>,
                                                                      readMessage<CompileModel>,
                                                                      readMessage<RunSession>,
                                                                      readMessage<SessionNumber>,
                                                                      readMessage<Reply<None>>,
                                                                      readMessage<Reply<LibraryFacts>>,
                                                                      readMessage<Reply<DeviceList>>,
                                                                      readMessage<Reply<CreatedSession>>,
                                                                      readMessage<Reply<RanSession>>,
                                                                      readMessage<Reply<EndedProfile>>,
                                                                      readMessage<Reply<MemoryFacts>>,
                                                                      readMessage<Reply<CompiledModel>>,
                                                                      readMessage<Reply<CustomOperatorList>>,
                                                                      readMessage<Reply<BinaryFacts>>,
                                                                      readMessage<Reply<AskedSession>>});

// Nothing that is there is waited for.
Channel::Waiting atOnce() {
  return {.deadlineNs = nowNs() + 1};
}

// A packet as somebody hostile sends it: these bytes, and so many descriptors of something that is no memory.
void receivePacket(std::string_view bytes, size_t descriptors) {
  auto ends = Channel::pair();
  require(ends.has_value(), "no pair of sockets");
  const FileDescriptor file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  std::array<int, kMostDescriptors> files;
  files.fill(file.get());
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof files)> room{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  descriptors = std::min(descriptors, files.size());
  if (descriptors > 0) {
    message.msg_control = room.data();
    message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors);
    cmsghdr* const control = CMSG_FIRSTHDR(&message);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof(int) * descriptors);
    std::memcpy(CMSG_DATA(control), files.data(), sizeof(int) * descriptors);
  }
  if (sendmsg(ends->first.socket(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) return;
  const Received received = ends->second.receive(atOnce());
  require(received.state == ChannelState::kGood || received.state == ChannelState::kBroken ||
              received.state == ChannelState::kClosed,
          "a packet that is there is not received");
  require(received.state != ChannelState::kBroken || !received.problem.empty(), "refused without a word");
}

// A moment, once watching nothing, awake and asleep, and once beside a descriptor whose other end is gone.
void waitForNothing(Channel& channel) {
  constexpr int64_t kMomentNs = 200'000;
  auto other = Channel::pair();
  require(other.has_value(), "no pair of sockets");
  const auto isLate = [](const Received& received) { return received.state == ChannelState::kTimedOut; };
  require(
      isLate(channel.receive({.deadlineNs = nowNs() + kMomentNs, .spinNs = kMomentNs / 4, .sleepNs = kMomentNs / 4})),
      "a frame out of nothing");
  other->second.send(1, 1, "x");
  const auto hear = [&] {
    const ChannelState heard = other->first.receive(atOnce()).state;  // the message, then the end
    require(heard == ChannelState::kGood || heard == ChannelState::kClosed, "what is readable is not there");
    other->second = Channel();
  };
  require(isLate(channel.receive({.deadlineNs = nowNs() + kMomentNs,
                                  .stopped = [] { return false; },
                                  .alsoReadable = other->first.socket(),
                                  .onReadable = hear})),
          "a frame out of nothing");
}

// What is sent arrives, and behind it nothing, and then the end.
void sendBody(std::string_view body, size_t descriptors) {
  auto ends = Channel::pair();
  require(ends.has_value(), "no pair of sockets");
  const FileDescriptor file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const std::vector<int> files(descriptors, file.get());
  const Received sent = ends->first.send(3, 7, body, files, nowNs() + 1);
  require((sent.state == ChannelState::kGood) == (descriptors <= kMostDescriptors), "a frame is not sent");
  if (sent.state == ChannelState::kGood) {
    const Received received = ends->second.receive(atOnce());
    require(received.state == ChannelState::kGood && received.frame.kind == 3 && received.frame.request == 7 &&
                received.frame.body == body && received.frame.files.size() == descriptors,
            "another frame arrives than was sent");
  }
  require(ends->second.receive(atOnce()).state == ChannelState::kTimedOut, "a frame out of nothing");
  require(ends->second.receive({.stopped = [] { return true; }}).state == ChannelState::kStopped,
          "a stop is not heard");
  if (body.empty()) waitForNothing(ends->second);
  ends->first = Channel();
  require(ends->second.receive(atOnce()).state == ChannelState::kClosed, "the end of the other side is not seen");
  require(ends->second.send(3, 7, body).state != ChannelState::kGood, "something is sent to nobody");
}

struct Sockets {
  Sockets() {
    int ends[2];
    require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0, "no pair of sockets");
    ours = FileDescriptor(ends[0]);
    theirs = FileDescriptor(ends[1]);
  }
  FileDescriptor ours, theirs;
};

// A stream as somebody hostile writes it, and ends.
void readStream(std::string_view bytes) {
  constexpr uint64_t kMostBytes = 1 << 20;
  Sockets sockets;
  if (::send(sockets.theirs.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) !=
      static_cast<ssize_t>(bytes.size()))
    return;
  sockets.theirs = FileDescriptor();
  std::string body;
  while (openvino::readFrame(sockets.ours.get(), kMostBytes, body) == openvino::FrameState::kGood) {
  }
}

void passFrame(std::string_view bytes) {
  constexpr uint64_t kMostBytes = 1 << 20;
  const Sockets sockets;
  std::string body;
  require(openvino::writeFrame(sockets.ours.get(), bytes) == openvino::FrameState::kGood, "a frame is not written");
  require(openvino::readFrame(sockets.theirs.get(), kMostBytes, body) == openvino::FrameState::kGood && body == bytes,
          "another frame is read than was written");
  if (!bytes.empty()) return;  // a stop is looked for every 20 ms
  require(openvino::readFrame(sockets.theirs.get(), kMostBytes, body, [] { return true; }) ==
              openvino::FrameState::kStopped,
          "a stop is not heard");
}

}  // namespace

// Two bytes say what it is: a kind of message and its body, a header, a packet with descriptors, or a body to be sent.
void readProtocol(std::string_view bytes) {
  if (bytes.size() < 2) return;
  const size_t kind = static_cast<unsigned char>(bytes[0]) % (kMessages.size() + 3);
  const size_t number = static_cast<unsigned char>(bytes[1]);
  const std::string_view body = bytes.substr(2);
  if (kind < kMessages.size()) return kMessages[kind](body);
  if (kind == kMessages.size() + 1) return receivePacket(body, number);
  if (kind == kMessages.size() + 2) return sendBody(body, number % (kMostDescriptors + 2));
  FrameHeader header;
  if (body.size() < sizeof header) return;
  std::memcpy(&header, body.data(), sizeof header);
  problemOf(header, body.size() - sizeof header, number % 4);
}

// Either side of the talk with the process that asks OpenVINO; the first byte says whether as a message, as what comes
// over the socket, or as a frame that is passed on.
void readAsking(std::string_view bytes) {
  if (bytes.empty()) return;
  const std::string_view body = bytes.substr(1);
  if (bytes[0] == 1) return readStream(body);
  if (bytes[0] == 2) return passFrame(body);
  if (const auto asked = openvino::inquiryFrom(body))
    require(openvino::inquiryFrom(openvino::bytesOf(*asked)).has_value(), "a question is refused after writing");
  if (const auto said = openvino::saidFrom(body))
    require(openvino::bytesOf(*said) == body, "an answer is written otherwise");
  if (const auto greeting = openvino::greetingFrom(body))
    require(openvino::bytesOf(*greeting) == body, "a greeting is written otherwise");
}

}  // namespace cutaway::fuzz
