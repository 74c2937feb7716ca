#pragma once
// The messages of the protocol: what each kind of frame has for its body, and what comes back.
//
// The program asks, the host answers; one request at a time. A reply is a Reply<T>: a status, the library's log lines
// since the last reply, and T where the status is good. Descriptors travel beside the body, in the order named here.
//
// | kind          | body                | reply         | descriptors                                              |
// |---------------|---------------------|---------------|----------------------------------------------------------|
// | kHello        | Hello               | LibraryFacts  |                                                          |
// | kDevices      | None                | DeviceList    |                                                          |
// | kShareMemory  | ShareMemory         | None          | asked with: the memory                                   |
// | kDropMemory   | DropMemory          | None          |                                                          |
// | kCreate       | CreateSession       | CreatedSession | answered with: the optimised model, when asked for      |
// | kRun          | RunSession          | RanSession    | answered with: results without a place, then the profile |
// | kEndProfile   | SessionNumber       | EndedProfile  | answered with: the profile                               |
// | kMemory       | SessionNumber       | MemoryFacts   |                                                          |
// | kEndSession   | SessionNumber       | None          |                                                          |
// | kRegister     | PluginPlace         | DeviceList    |                                                          |
// | kAsk          | AskProviders        | AskedSession  | (ask_messages.h)                                         |
// | kCompile      | CompileModel        | CompiledModel | answered with: the context model                         |
// | kCustom       | CustomLibraryPlace  | CustomOperatorList |                                                     |
// | kBinary       | BinaryPlace         | BinaryFacts   |                                                          |
//
// Thread rule: plain values. Example: const std::string body = toBytes(RunSession{.session = 1});

#include "providers/onnxruntime/protocol/archive.h"
#include "providers/onnxruntime/protocol/binary_facts.h"
#include "providers/onnxruntime/protocol/custom_facts.h"
#include "providers/onnxruntime/protocol/plugin_facts.h"
#include "providers/onnxruntime/protocol/run_messages.h"
#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

enum class MessageKind : uint16_t {
  kHello = 1,
  kDevices,
  kShareMemory,
  kDropMemory,
  kCreate,
  kRun,
  kEndProfile,
  kMemory,
  kEndSession,
  kRegister,
  kAsk,
  kCompile,
  kCustom,
  kBinary,
};

struct None {};
struct Hello {
  std::string library;  // path of libonnxruntime.so
  std::string scratch;  // folder for files that the library can only write by name; made when first needed
};
struct DeviceList {
  std::vector<DeviceFacts> devices;
};
struct ShareMemory {
  uint64_t memory = 0;
  uint64_t sizeBytes = 0;
};
struct DropMemory {
  uint64_t memory = 0;
};
// External data of a model, given by the name that the model has for it.
struct WeightFile {
  std::string name;
  MemoryPlace place;
};
struct CreateSession {
  MemoryPlace model;
  std::string path;  // instead of bytes: a file that the host opens itself
  std::vector<WeightFile> weights;
  SessionSettings settings;
};
// A model with its groups compiled into EPContext nodes.
struct CompileModel {
  CreateSession session;
  std::string folder;  // for binaries beside the model; empty: they are embedded
  std::string name;    // of the model, which the names of binaries begin with
};
struct CompiledModel {
  uint64_t modelBytes = 0;
  int64_t tookNs = 0;
};
struct CreatedSession {
  SessionFacts facts;
  uint64_t optimizedModelBytes = 0;
};

// Texts in shared memory: for each its length in 8 bytes, then its bytes.

template <typename T>
struct Reply {
  int32_t code = 0;  // of ErrorCode; 0: good
  std::string message;
  std::vector<LogLine> log;
  uint64_t linesLost = 0;  // that did not fit
  T value;
};

template <typename A, Describes<None> T>
void describe(A& /*archive*/, T& /*none*/) {}
template <typename A, Describes<Hello> T>
void describe(A& archive, T& m) {
  archive(m.library, m.scratch);
}
template <typename A, Describes<DeviceFacts> T>
void describe(A& archive, T& m) {
  archive(m.provider, m.providerVendor, m.kind, m.vendor, m.vendorId, m.deviceId, m.metadata, m.options);
}
template <typename A, Describes<DeviceList> T>
void describe(A& archive, T& m) {
  archive(m.devices);
}
template <typename A, Describes<LibraryFacts> T>
void describe(A& archive, T& m) {
  archive(m.path, m.version, m.apiVersion, m.build, m.providers);
}
template <typename A, Describes<ShareMemory> T>
void describe(A& archive, T& m) {
  archive(m.memory, m.sizeBytes);
}
template <typename A, Describes<DropMemory> T>
void describe(A& archive, T& m) {
  archive(m.memory);
}
template <typename A, Describes<WeightFile> T>
void describe(A& archive, T& m) {
  archive(m.name, m.place);
}
template <typename A, Describes<AppendedProvider> T>
void describe(A& archive, T& m) {
  archive(m.name, m.plugin, m.options);
}
template <typename A, Describes<SessionSettings> T>
void describe(A& archive, T& m) {
  archive(m.level, m.parallel, m.intraThreads, m.interThreads, m.arena, m.memoryPattern, m.keys, m.dimensions,
          m.providers, m.customOperators, m.log, m.optimizedModel, m.assignment, m.profile);
}
template <typename A, Describes<CreateSession> T>
void describe(A& archive, T& m) {
  archive(m.model, m.path, m.weights, m.settings);
}
template <typename A, Describes<ValueFacts> T>
void describe(A& archive, T& m) {
  archive(m.name, m.kind, m.element, m.isRanked, m.dims, m.symbols);
}
template <typename A, Describes<AssignedNode> T>
void describe(A& archive, T& m) {
  archive(m.name, m.domain, m.opType);
}
template <typename A, Describes<AssignedGroup> T>
void describe(A& archive, T& m) {
  archive(m.provider, m.nodes);
}
template <typename A, Describes<CompileModel> T>
void describe(A& archive, T& m) {
  archive(m.session, m.folder, m.name);
}
template <typename A, Describes<CompiledModel> T>
void describe(A& archive, T& m) {
  archive(m.modelBytes, m.tookNs);
}
template <typename A, Describes<LogLine> T>
void describe(A& archive, T& m) {
  archive(m.severity, m.location, m.message);
}
template <typename A, Describes<SessionFacts> T>
void describe(A& archive, T& m) {
  archive(m.session, m.inputs, m.outputs, m.overridable, m.environmentNs, m.createNs, m.assignment);
}
template <typename A, Describes<CreatedSession> T>
void describe(A& archive, T& m) {
  archive(m.facts, m.optimizedModelBytes);
}
template <typename A, typename T>
void describe(A& archive, Reply<T>& m) {
  archive(m.code, m.message, m.log, m.linesLost, m.value);
}
template <typename A, typename T>
void describe(A& archive, const Reply<T>& m) {
  archive(m.code, m.message, m.log, m.linesLost, m.value);
}

}  // namespace cutaway::onnxruntime
