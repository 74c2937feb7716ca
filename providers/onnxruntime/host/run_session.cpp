// Running a session over shared memory: values are made where the tensors lie, so nothing is copied but what the
// library places itself.
#include <cstring>

#include "engine/base/checked_math.h"
#include "engine/base/clock.h"
#include "providers/onnxruntime/host/library_session.h"
#include "providers/onnxruntime/protocol/text_tensor.h"

namespace cutaway::onnxruntime {

namespace {

constexpr int32_t kTextElement = 8;
constexpr int64_t kAlignment = 64;

Result<int64_t> elementCount(const std::vector<int64_t>& dims) {
  int64_t count = 1;
  for (const int64_t dim : dims) {
    if (dim < 0) return fail(ErrorCode::kInvalidArgument, "a tensor of a run has a dimension of {}", dim);
    CUTAWAY_TRY(count, checkedMultiply(count, dim));
  }
  return count;
}

Result<OwnedValue> textValue(const CApi& api, const RunValue& value, std::span<const std::byte> bytes) {
  CUTAWAY_TRY(const int64_t count, elementCount(value.dims));
  if (count > static_cast<int64_t>(bytes.size() / sizeof(uint64_t)))
    return fail(ErrorCode::kInvalidArgument, "{} texts do not fit in {} bytes", count, bytes.size());
  std::vector<std::string> texts(static_cast<size_t>(count));
  if (!readTexts({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, texts))
    return fail(ErrorCode::kInvalidArgument, "texts do not end where they should");
  abi::Allocator* allocator = nullptr;
  CUTAWAY_CHECK(api.check(abi::kDefaultAllocator, &allocator));
  OwnedValue made(api);
  CUTAWAY_CHECK(
      api.check(abi::kCreateTensor, allocator, value.dims.data(), value.dims.size(), kTextElement, made.out()));
  std::vector<const char*> pointers;
  for (const std::string& text : texts)
    pointers.push_back(text.c_str());
  CUTAWAY_CHECK(api.check(abi::kFillStrings, made.get(), pointers.data(), pointers.size()));
  return made;
}

// A value over the place's memory. The library checks that its dims fit in the bytes.
Result<OwnedValue> valueAt(Runtime& runtime, const RunValue& value) {
  const CApi& api = runtime.api();
  CUTAWAY_TRY(const std::span<std::byte> bytes, runtime.bytesAt(value.place));
  if (value.element == kTextElement) return textValue(api, value, bytes);
  CUTAWAY_TRY(const abi::MemoryInfo* const memory, runtime.hostMemory());
  OwnedValue made(api);
  CUTAWAY_CHECK(api.check(abi::kCreateTensorWithData, memory, static_cast<void*>(bytes.data()), bytes.size(),
                          value.dims.data(), value.dims.size(), libraryElement(value.element), made.out()));
  return made;
}

// A value that the library placed.
struct Placed {
  RanValue facts;
  std::string texts;            // of tensors of texts
  const void* bytes = nullptr;  // of others
};

Result<void> readTextValue(const CApi& api, const abi::Value* value, size_t count, std::string& bytes) {
  size_t length = 0;
  CUTAWAY_CHECK(api.check(abi::kStringsLength, value, &length));
  std::string all(length, '\0');
  std::vector<size_t> offsets(count);
  CUTAWAY_CHECK(
      api.check(abi::kStrings, value, static_cast<void*>(all.data()), length, offsets.data(), offsets.size()));
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i)
    texts.push_back(all.substr(offsets[i], (i + 1 < count ? offsets[i + 1] : length) - offsets[i]));
  appendTexts(texts, bytes);
  return {};
}

Result<Placed> placedValue(const CApi& api, abi::Value* value) {
  Placed placed;
  int32_t kind = 0;
  if (value != nullptr) CUTAWAY_CHECK(api.check(abi::kKindOfValue, value, &kind));
  placed.facts.kind = static_cast<ValueKind>(kind);
  if (placed.facts.kind != ValueKind::kTensor) return placed;
  OwnedTensorInfo info(api);
  size_t rank = 0;
  size_t count = 0;
  int32_t element = 0;
  CUTAWAY_CHECK(api.check(abi::kTensorInfoOfValue, value, info.out()));
  CUTAWAY_CHECK(api.check(abi::kElementType, info.get(), &element));
  CUTAWAY_CHECK(api.check(abi::kRank, info.get(), &rank));
  placed.facts.element = onnxElement(element);
  placed.facts.dims.resize(rank);
  CUTAWAY_CHECK(api.check(abi::kDimensions, info.get(), placed.facts.dims.data(), rank));
  CUTAWAY_CHECK(api.check(abi::kElementCount, info.get(), &count));
  if (element == kTextElement) {
    CUTAWAY_CHECK(readTextValue(api, value, count, placed.texts));
    placed.bytes = placed.texts.data();
    placed.facts.sizeBytes = placed.texts.size();
    return placed;
  }
  void* data = nullptr;
  CUTAWAY_CHECK(api.check(abi::kTensorData, value, &data));
  placed.bytes = data;
  CUTAWAY_CHECK(api.check(abi::kTensorSize, value, &placed.facts.sizeBytes));
  return placed;
}

}  // namespace

Result<void> LibrarySession::giveResults(const std::vector<abi::Value*>& values, Ran& ran) const {
  std::vector<Placed> placed;
  int64_t total = 0;
  for (abi::Value* const value : values) {
    CUTAWAY_TRY(Placed each, placedValue(m_api, value));
    each.facts.offset = static_cast<uint64_t>(total);
    CUTAWAY_TRY(total, checkedAdd(total, alignUp(static_cast<int64_t>(each.facts.sizeBytes), kAlignment)));
    placed.push_back(std::move(each));
  }
  std::shared_ptr<const SharedMemory> memory;
  if (total > 0) {
    CUTAWAY_TRY(memory, SharedMemory::create(static_cast<size_t>(total)));
    ran.facts.resultBytes = static_cast<uint64_t>(total);
    ran.memory.push_back(memory);
  }
  for (Placed& each : placed) {
    const void* const bytes = each.texts.empty() ? each.bytes : each.texts.data();
    if (each.facts.sizeBytes > 0) std::memcpy(memory->bytes().data() + each.facts.offset, bytes, each.facts.sizeBytes);
    ran.facts.results.push_back(std::move(each.facts));
  }
  return {};
}

Result<Ran> LibrarySession::run(Runtime& runtime, const RunSession& message) {
  std::vector<OwnedValue> owned;
  std::vector<const abi::Value*> inputs;
  std::vector<abi::Value*> outputs;
  std::vector<const char*> inputNames;
  std::vector<const char*> outputNames;
  owned.reserve(message.inputs.size() + message.outputs.size());
  for (const RunValue& value : message.inputs) {
    if (value.slot >= m_inputs.size())
      return fail(ErrorCode::kInvalidArgument, "the session has {} inputs, not {}", m_inputs.size(), value.slot + 1);
    CUTAWAY_TRY(OwnedValue made, valueAt(runtime, value));
    inputs.push_back(owned.emplace_back(std::move(made)).get());
    inputNames.push_back(m_inputs[value.slot].name.c_str());
  }
  for (const RunValue& value : message.outputs) {
    if (value.slot >= m_outputs.size())
      return fail(ErrorCode::kInvalidArgument, "the session has {} outputs, not {}", m_outputs.size(), value.slot + 1);
    outputNames.push_back(m_outputs[value.slot].name.c_str());
    outputs.push_back(nullptr);
    if (value.place.memory == 0) continue;
    CUTAWAY_TRY(OwnedValue made, valueAt(runtime, value));
    outputs.back() = owned.emplace_back(std::move(made)).get();
  }
  OwnedRunOptions options(m_api);
  std::string profile;
  if (message.profile) {
    CUTAWAY_CHECK(m_api.check(abi::kCreateRunOptions, options.out()));
    CUTAWAY_TRY(profile, runtime.scratch().name("run"));
    CUTAWAY_CHECK(m_api.check(abi::kProfileRun, options.get(), profile.c_str()));
  }
  Ran ran;
  std::vector<OwnedValue> results;  // of the last run
  const uint32_t runs = std::max<uint32_t>(message.runs, 1);
  for (uint32_t time = 0; time < runs; ++time) {
    std::vector<abi::Value*> given = outputs;
    // Each profiled run writes a file.
    const abi::RunOptions* const runOptions = time + 1 == runs ? options.get() : nullptr;
    const Stopwatch watch;
    Result<void> done = m_api.check(abi::kRun, m_session.get(), runOptions, inputNames.data(), inputs.data(),
                                    inputs.size(), outputNames.data(), outputNames.size(), given.data());
    ran.facts.runNs.push_back(watch.elapsedNs());
    results.clear();
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (message.outputs[i].place.memory != 0) continue;
      *results.emplace_back(m_api).out() = given[i];
    }
    CUTAWAY_CHECK(std::move(done));
  }
  std::vector<abi::Value*> placedHere;
  for (const OwnedValue& result : results)
    placedHere.push_back(result.get());
  CUTAWAY_CHECK(giveResults(placedHere, ran));
  if (!message.profile) return ran;
  CUTAWAY_TRY(auto written, runtime.scratch().takeStarting(profile, ran.facts.profileBytes));
  ran.memory.push_back(std::move(written));
  return ran;
}

}  // namespace cutaway::onnxruntime
