#pragma once
// Frames between the program and a host process: one packet each, over a pair of connected sockets.
//
// A frame is a header of 32 bytes (magic, version of the protocol, kind, number of the request, length) and its body:
// in the packet itself, or, from kMostInlineBytes on, in shared memory whose descriptor comes first among those of the
// packet. Everything that arrives is checked here for its outer form: magic, version, lengths, number of descriptors.
// Thread rule: one thread at a time on each end. Example:
//   channel.send({.kind = 3, .request = 7, .body = bytes});  CUTAWAY_TRY(Frame reply, channel.receive(deadlineNs));

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/file_descriptor.h"
#include "providers/onnxruntime/protocol/shared_memory.h"

namespace cutaway::onnxruntime {

inline constexpr uint32_t kMagic = 0x54524F43;  // "CORT"
inline constexpr uint16_t kProtocolVersion = 2;
inline constexpr size_t kMostInlineBytes = 32 * 1024;
inline constexpr uint64_t kMostBodyBytes = 1ull << 30;
inline constexpr size_t kMostDescriptors = 16;

struct FrameHeader {
  uint32_t magic = kMagic;
  uint16_t version = kProtocolVersion;
  uint16_t kind = 0;
  uint64_t request = 0;  // a reply has that of what it answers
  uint64_t bodyBytes = 0;
  uint32_t descriptors = 0;    // beside that of the body
  uint32_t bodyElsewhere = 0;  // 1: in shared memory
};
static_assert(sizeof(FrameHeader) == 32);

struct Frame {
  uint16_t kind = 0;
  uint64_t request = 0;
  std::string body;
  std::vector<FileDescriptor> files;
};

// What is wrong with a header, given the packet's length without it and its descriptors; empty: nothing.
std::string problemOf(const FrameHeader& header, size_t bytesHere, size_t descriptorsHere);

enum class ChannelState : uint8_t { kGood, kClosed, kTimedOut, kStopped, kBroken };
struct Received {
  ChannelState state = ChannelState::kGood;
  std::string problem;  // for kBroken: what came instead of a frame
  Frame frame;
};

class Channel {
 public:
  Channel() = default;
  explicit Channel(FileDescriptor socket) : m_socket(std::move(socket)) {}
  // Two ends that are connected; closed in programs that are started. FAIL when descriptors are short.
  static Result<std::pair<Channel, Channel>> pair();

  int socket() const { return m_socket.get(); }
  // files stay the caller's. Waits for room until `deadlineNs` (clock.h; 0: for ever).
  Received send(uint16_t kind, uint64_t request, std::string_view body, std::span<const int> files = {},
                int64_t deadlineNs = 0);

  struct Waiting {
    int64_t deadlineNs = 0;         // 0: none
    int64_t lookNs = 20'000'000;    // how often `stopped` is asked
    std::function<bool()> stopped;  // empty: nobody asks
    int alsoReadable = -1;          // another descriptor; `onReadable` is called when it has something to read
    std::function<void()> onReadable;
    // Looks without sleeping for so long, because a wake-up costs up to a hundred microseconds - but sleeps before,
    // where no answer can be there yet.
    int64_t spinNs = 0;
    int64_t sleepNs = 0;
  };
  Received receive(const Waiting& waiting);

 private:
  std::optional<Received> takeFrame();  // nullopt: nothing is there

  FileDescriptor m_socket;
  std::vector<char> m_buffer;
};

}  // namespace cutaway::onnxruntime
