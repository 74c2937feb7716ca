#pragma once
// Streams, events and recordings of the emulator: lists of work that run at once, or, strict, as late as they may.
//
// Strict: enqueue() only appends. Whoever waits for a stream makes that stream run as far as it must, and other streams
// only as far as an event forces them to: so work that lacks a wait runs before what it should have waited for, and
// gives a wrong result. While a stream is recorded, its work goes to the recording, and that of streams which wait for
// it, too. Thread rule: one thread at a time (the backend's lock), but for a plain backend, where each stream belongs
// to one thread. Example: stream->enqueue([=] { std::memcpy(to, from, n); });  runUntil(*stream, stream->enqueued);

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cutaway::cuda {

struct EmulatedStream;

struct EmulatedRecording {
  std::vector<std::function<void()>> work;
  std::vector<std::shared_ptr<EmulatedStream>> streams;  // the first began it
  bool ended = false;
  std::string refused;  // why it cannot be used
};

struct EmulatedWork {
  std::function<void()> run;  // empty: a wait
  std::shared_ptr<EmulatedStream> waitsFor;
  int64_t ticket = 0;  // that much of the other stream comes first
};

// A block released in stream order, which later work of the same stream may get again before the release has run.
struct EmulatedRelease {
  void* block = nullptr;
  size_t sizeBytes = 0;
  bool takenAgain = false;
};

struct EmulatedStream {
  std::deque<EmulatedWork> pending;
  int64_t enqueued = 0, done = 0;
  std::shared_ptr<EmulatedRecording> recording;
  bool joined = true;  // while recorded: the stream that began it has waited for everything enqueued here
  std::vector<std::shared_ptr<EmulatedRelease>> releases;
};

struct EmulatedEvent {
  bool timed = false;
  std::shared_ptr<EmulatedStream> stream;  // where it was recorded last; nullptr: nowhere, which counts as done
  int64_t ticket = 0;
  std::shared_ptr<EmulatedRecording> recording;  // of that time
  std::shared_ptr<int64_t> atNs;                 // written when the stream gets there
};

// Runs the stream until `ticket` pieces of work are done, and what they wait for before.
void runUntil(EmulatedStream& stream, int64_t ticket);

}  // namespace cutaway::cuda
