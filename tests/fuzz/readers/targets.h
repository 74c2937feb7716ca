#pragma once
// What libFuzzer feeds bytes to: every reader of files, by name, and what is done with models.
//
// A target reads, reads back what it wrote where there is a writer, and judges the message of what it refused
// (message_rules.h). Thread rule: one thread. Example: CUTAWAY_FUZZ_TARGET=npy fuzz_readers corpus/npy
// -max_total_time=60

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tests/fuzz/driver.h"

namespace cutaway::fuzz {

struct ReaderTarget {
  std::string_view name;
  void (*read)(std::string_view bytes);
};

std::span<const ReaderTarget> readerTargets();
// Changed as what they are: as context binaries (checksums made right again, mostly), JSON, models; nullopt: bytes that
// are none of them.
std::optional<std::string> mutatedByForm(std::string_view bytes, Random& random);

// Targets in files of their own; which of them a build has says CMakeLists.txt.
void readProtocol(std::string_view bytes);  // with the host process of onnxruntime
void readAsking(std::string_view bytes);    // with the process that asks OpenVINO
void readTrace(std::string_view bytes);
void readSavedProfile(std::string_view bytes);
void readModel(std::string_view bytes);      // loaded, written, loaded again, resolved
void readModelFile(std::string_view bytes);  // from files: binary, text, by way of a link
void walkModel(std::string_view bytes);      // to its plans
void runModel(std::string_view bytes);       // on the provider cpu, with 64 MB
void readSession(std::string_view bytes);    // of the window

}  // namespace cutaway::fuzz
