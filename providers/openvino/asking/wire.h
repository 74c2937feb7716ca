#pragma once
// What the program and the process that asks OpenVINO say to each other: frames over a pair of connected sockets.
//
// A frame is its length in 8 bytes and its body. What arrives is hostile on both sides: lengths are checked against
// what is there. Thread rule: plain values; one socket, one thread. Example:
//   writeFrame(socket, bytesOf(Inquiry{.kind = InquiryKind::kJudge, .model = bytes, .device = "CPU", .count = 12}));

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "providers/openvino/bridge/bridge.h"

namespace cutaway::openvino {

// "--ask-openvino <number of the process that started it>"
inline constexpr const char* kAskOpenvino = "--ask-openvino";
// A questions model is below protobuf's 2 GB; an answer has a few words for each of its questions.
inline constexpr uint64_t kMostAskedBytes = uint64_t{1} << 31, kMostSaidBytes = uint64_t{1} << 26;

// The first frame, before anything is asked.
struct Greeting {
  std::string version;       // of OpenVINO there; empty: it cannot be opened
  uint64_t zerosAt = 0;      // an address there with zeros, which stand for large constants
  uint64_t zeroBytes = 0;    // how many; 0: none could be had
  uint64_t memoryBytes = 0;  // that it may take
};
// kRunOnZeros: of what kCompile made last, which it lets go.
enum class InquiryKind : uint64_t { kJudge = 1, kConversionProblem, kImport, kCompile, kRunOnZeros };
struct Inquiry {
  InquiryKind kind = InquiryKind::kJudge;
  std::string model;                    // with kImport a blob; kRunOnZeros has none
  std::string device;                   // but for kConversionProblem
  std::vector<ExpectedOutput> outputs;  // this and the next: Bridge::judge
  uint64_t count = 0;
  std::vector<std::pair<std::string, std::string>> properties;  // kCompile
};
struct Said {
  std::string problem;
  std::vector<Judged> judged;
};

std::string bytesOf(const Greeting& greeting);
std::string bytesOf(const Inquiry& inquiry);
std::string bytesOf(const Said& said);
// nullopt: cut short, longer than it says, or with a number that cannot be.
std::optional<Greeting> greetingFrom(std::string_view bytes);
std::optional<Inquiry> inquiryFrom(std::string_view bytes);
std::optional<Said> saidFrom(std::string_view bytes);

enum class FrameState : uint8_t { kGood, kClosed, kStopped, kBroken };
// `stopped` is asked every 20 ms while nothing moves; empty: nobody asks.
FrameState writeFrame(int socket, std::string_view body, const std::function<bool()>& stopped = {});
FrameState readFrame(int socket, uint64_t mostBytes, std::string& body, const std::function<bool()>& stopped = {});

}  // namespace cutaway::openvino
