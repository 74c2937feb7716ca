// Making and describing a session; running it is in run_session.cpp.
#include "providers/onnxruntime/host/library_session.h"

#include <sys/stat.h>

#include "engine/base/clock.h"
#include "engine/base/mapped_file.h"
#include "providers/onnxruntime/host/assignment.h"
#include "providers/onnxruntime/host/session_options.h"

namespace cutaway::onnxruntime {

namespace {

Result<void> describeTensor(const CApi& api, const abi::TensorInfo* info, ValueFacts& facts) {
  int32_t element = 0;
  size_t rank = 0;
  CUTAWAY_CHECK(api.check(abi::kElementType, info, &element));
  CUTAWAY_CHECK(api.check(abi::kRank, info, &rank));
  facts.element = onnxElement(element);
  facts.dims.resize(rank);
  CUTAWAY_CHECK(api.check(abi::kDimensions, info, facts.dims.data(), rank));
  std::vector<const char*> symbols(rank, nullptr);
  CUTAWAY_CHECK(api.check(abi::kSymbols, info, symbols.data(), rank));
  for (const char* const symbol : symbols)
    facts.symbols.emplace_back(symbol == nullptr ? "" : symbol);
  facts.isRanked = api.at(abi::kHasShape)(info);
  return {};
}

struct ValueSlots {
  const abi::Slot<abi::CountOf>& count;
  const abi::Slot<abi::NameAt>& name;
  const abi::Slot<abi::TypeAt>& type;
};

Result<void> describeValues(const CApi& api, const abi::Session* session, const ValueSlots& slots,
                            std::vector<ValueFacts>& values) {
  size_t count = 0;
  CUTAWAY_CHECK(api.check(slots.count, session, &count));
  abi::Allocator* allocator = nullptr;
  CUTAWAY_CHECK(api.check(abi::kDefaultAllocator, &allocator));
  for (size_t i = 0; i < count; ++i) {
    ValueFacts facts;
    char* name = nullptr;
    CUTAWAY_CHECK(api.check(slots.name, session, i, allocator, &name));
    CUTAWAY_TRY(facts.name, takenText(api, name));
    OwnedTypeInfo type(api);
    CUTAWAY_CHECK(api.check(slots.type, session, i, type.out()));
    int32_t kind = 0;
    CUTAWAY_CHECK(api.check(abi::kKindOfType, type.get(), &kind));
    facts.kind = static_cast<ValueKind>(kind);
    const abi::TensorInfo* info = nullptr;
    if (facts.kind == ValueKind::kTensor) CUTAWAY_CHECK(api.check(abi::kTensorInfoOf, type.get(), &info));
    if (info != nullptr) CUTAWAY_CHECK(describeTensor(api, info, facts));
    values.push_back(std::move(facts));
  }
  return {};
}

}  // namespace

Result<LibrarySession::Made> LibrarySession::create(Runtime& runtime, const CreateSession& message) {
  const CApi& api = runtime.api();
  Made made;
  CUTAWAY_TRY(const abi::Environment* const environment, runtime.environment(&made.facts.facts.environmentNs));
  CUTAWAY_TRY(const SessionOrder order, sessionOptions(runtime, message));
  made.session.reset(new LibrarySession(api));
  LibrarySession& session = *made.session;
  const abi::SessionOptions* const options = order.options.get();
  const Stopwatch watch;
  if (message.path.empty()) {
    CUTAWAY_TRY(const std::span<std::byte> bytes, runtime.bytesAt(message.model));
    CUTAWAY_CHECK(api.check(abi::kCreateSessionFromArray, environment, static_cast<const void*>(bytes.data()),
                            bytes.size(), options, session.m_session.out()));
  } else {
    CUTAWAY_CHECK(api.check(abi::kCreateSession, environment, message.path.c_str(), options, session.m_session.out()));
  }
  SessionFacts& facts = made.facts.facts;
  facts.createNs = watch.elapsedNs();
  session.m_isProfiled = message.settings.profile;
  CUTAWAY_CHECK(session.describe(facts));
  if (message.settings.assignment) CUTAWAY_CHECK(describeAssignment(api, session.m_session.get(), facts.assignment));
  if (!order.optimizedModel.valid()) return made;
  CUTAWAY_TRY(const auto written, MappedFile::openDescriptor(order.optimizedModel.get(), "the optimised model"));
  const std::span<const std::byte> bytes = written->bytes();
  made.facts.optimizedModelBytes = bytes.size();
  CUTAWAY_TRY(made.optimizedModel, SharedMemory::of({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  return made;
}

Result<std::unique_ptr<LibrarySession>> LibrarySession::of(const CApi& api, OwnedSession made, SessionFacts& facts) {
  std::unique_ptr<LibrarySession> session(new LibrarySession(api));
  session->m_session = std::move(made);
  CUTAWAY_CHECK(session->describe(facts));
  return session;
}

Result<void> LibrarySession::describe(SessionFacts& facts) {
  const abi::Session* const session = m_session.get();
  CUTAWAY_CHECK(describeValues(m_api, session, {abi::kInputCount, abi::kInputName, abi::kInputType}, facts.inputs));
  CUTAWAY_CHECK(describeValues(m_api, session, {abi::kOutputCount, abi::kOutputName, abi::kOutputType}, facts.outputs));
  CUTAWAY_CHECK(describeValues(m_api, session, {abi::kOverridableCount, abi::kOverridableName, abi::kOverridableType},
                               facts.overridable));
  m_inputs = facts.inputs;
  m_outputs = facts.outputs;
  return {};
}

Result<std::shared_ptr<const SharedMemory>> LibrarySession::endProfile(uint64_t& sizeBytes) {
  if (!m_isProfiled) return fail(ErrorCode::kInvalidArgument, "the session has no profile, or has ended it");
  m_isProfiled = false;
  abi::Allocator* allocator = nullptr;
  CUTAWAY_CHECK(m_api.check(abi::kDefaultAllocator, &allocator));
  char* name = nullptr;
  CUTAWAY_CHECK(m_api.check(abi::kEndProfiling, m_session.get(), allocator, &name));
  CUTAWAY_TRY(const std::string file, takenText(m_api, name));
  return ScratchFolder::take(file, sizeBytes);
}

Result<TextPairs> LibrarySession::memoryStatistics() const {
  TextPairs statistics;
  OwnedMemoryInfo memory(m_api);
  CUTAWAY_CHECK(m_api.check(abi::kCreateCpuMemoryInfo, abi::kArenaAllocator, abi::kDefaultMemory, memory.out()));
  OwnedAllocator allocator(m_api);
  CUTAWAY_CHECK(m_api.check(abi::kCreateAllocator, m_session.get(), memory.get(), allocator.out()));
  OwnedPairs pairs(m_api);
  CUTAWAY_CHECK(m_api.check(abi::kAllocatorStatistics, allocator.get(), pairs.out()));
  if (pairs.get() == nullptr) return statistics;
  abi::Texts keys = nullptr;
  abi::Texts values = nullptr;
  size_t count = 0;
  m_api.at(abi::kPairs)(pairs.get(), &keys, &values, &count);
  for (size_t i = 0; i < count; ++i)
    statistics.emplace_back(keys[i], values[i]);
  return statistics;
}

}  // namespace cutaway::onnxruntime
