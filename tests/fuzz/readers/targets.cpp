#include "tests/fuzz/readers/targets.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "engine/context_binary/binary_format.h"
#include "engine/context_binary/binary_reader.h"
#include "engine/context_binary/inside_nodes.h"
#include "engine/edit/model_edit.h"
#include "engine/graph/text.h"
#include "engine/session/configuration/configuration_text.h"
#include "engine/stages/load/npy_file.h"
#include "engine/stages/load/tensor_file.h"
#include "providers/declared/profile_reader.h"
#include "providers/onnxruntime/record/record_file.h"
#include "tests/fuzz/context/mutate.h"
#include "tests/fuzz/readers/json_mutation.h"
#include "tests/fuzz/readers/message_rules.h"
#include "tests/fuzz/readers/proto_mutation.h"
#include "tests/fuzz/readers/scratch_folder.h"

namespace cutaway::fuzz {

namespace {

ByteSpan spanOf(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

// What was read and written is read again, and is the same.
void npy(std::string_view bytes) {
  const Result<Tensor> tensor = load::readNpy(spanOf(bytes));
  if (!judged(tensor, bytes) || tensor->sizeBytes() > 1 << 20) return;
  const Result<std::string> written = load::writeNpy(*tensor);
  if (!judged(written, bytes)) return;
  const Result<Tensor> again = load::readNpy(spanOf(*written));
  require(again.has_value(), "what writeNpy() wrote is refused");
  require(std::ranges::equal(again->dims(), tensor->dims()), "other dims after writing and reading");
}

ValueType mapType() {
  ValueType type;
  type.kind = TypeKind::kMap;
  return type;
}

// What a model expects that is given such a value.
ValueType typeFor(const RuntimeValue& value) {
  const ValueType tensor = ValueType::tensor(ElementType::kFloat, std::nullopt);
  if (value.isTensor()) return tensor;
  if (value.isSequence()) return ValueType::sequence(value.sequence().elementType);
  return value.isMap() ? mapType() : ValueType::optional(tensor);
}

// The first byte says what the model expects there: a .pb file does not.
void pb(std::string_view bytes) {
  if (bytes.empty()) return;
  static const ValueType tensor = ValueType::tensor(ElementType::kFloat, std::nullopt);
  static const std::array<ValueType, 6> expected{
      tensor,    ValueType::sequence(tensor),    ValueType::optional(tensor),
      mapType(), ValueType::sequence(mapType()), ValueType::optional(ValueType::sequence(tensor))};
  const std::filesystem::path file = fileInScratch("value.pb", bytes.substr(1));
  const auto read = load::readTensorFile(file, expected[static_cast<unsigned char>(bytes[0]) % expected.size()]);
  if (!judged(read, bytes)) return;
  if (read->value.isTensor() && read->value.tensor().sizeBytes() <= 1 << 20)
    judged(load::writeNpy(read->value.tensor()), bytes);  // also what NumPy has no type for
  const std::filesystem::path other = scratchFolder() / "again.pb";
  if (!judged(load::writeTensorFile(other, read->name, read->value, load::TensorFileFormat::kPb), bytes)) return;
  const auto again = load::readTensorFile(other, typeFor(read->value));
  require(again.has_value(), again ? "" : "what was written is refused: " + describe(again.error()));
}

void text(std::string_view bytes) {
  const Result<Model> model = parseModelText(bytes);
  if (!judged(model, bytes)) return;
  const std::string printed = printModel(*model, {.maxInlineElements = 1 << 20});
  const Result<Model> again = parseModelText(printed);
  require(again.has_value(), "what printModel() wrote is refused");
  require(printModel(*again, {.maxInlineElements = 1 << 20}) == printed, "printed otherwise the second time");
}

// Sections that do not begin where they should are copied by the reader. The block ends with the bytes: a sanitizer
// sees every one that is read too much.
void contextBinary(std::string_view bytes) {
  static constexpr std::align_val_t kAlignment{context_binary::kContextChunkAlignment};
  const size_t offset = bytes.size() % 2;
  const std::shared_ptr<std::byte> held(static_cast<std::byte*>(::operator new(bytes.size() + offset, kAlignment)),
                                        [](std::byte* data) { ::operator delete(data, kAlignment); });
  const std::span<std::byte> copy(held.get() + offset, bytes.size());
  std::ranges::copy(spanOf(bytes), copy.begin());
  const auto binary = context_binary::ContextBinary::open(copy, held, "fuzzed.bin");
  if (!judged(binary, bytes)) return;
  CancelToken token;
  const Progress progress(token);
  for (const context_binary::ContextPartition& each : (*binary)->partitions()) {
    require((*binary)->find(each.source, each.name) != nullptr, "a partition is not found by its name");
    (*binary)->find("", each.name);
    (*binary)->unverifiedBytes(each);
    judged((*binary)->verify(each, progress, context_binary::ContextBinary::Extent::kAllButLargeNumbers), bytes);
  }
  judged((*binary)->verifyAll(progress), bytes);
  const context_binary::ContextPartition stranger{.name = "\xff", .source = "onednn"};  // no name: it is no UTF-8
  judged((*binary)->verify(stranger, progress), bytes);
  require((*binary)->unverifiedBytes(stranger) == 0, "bytes of a partition that is not there");
  token.cancel();
  require(!(*binary)->verifyAll(progress).has_value(), "a cancelled check ends well");
  require((*binary)->sectionBytes() >= 0, "fewer bytes than none");
}

void insideNodes(std::string_view bytes) {
  judged(context_binary::readInside(bytes), bytes);
}

void configuration(std::string_view bytes) {
  const auto read = session::configurationFromJson(bytes, "settings.json");
  if (!judged(read, bytes)) return;
  const std::string written = session::configurationToJson(*read);
  const auto again = session::configurationFromJson(written, "settings.json");
  require(again.has_value(), "what configurationToJson() wrote is refused");
  require(session::configurationToJson(*again) == written, "written otherwise the second time");
}

// As options of the command line and titles have it.
void configurationLine(std::string_view bytes) {
  judged(session::parsePin(bytes), bytes);
  const auto read = session::configurationFromLine(bytes);
  if (!judged(read, bytes)) return;
  const std::string written = session::configurationLine(*read, {});
  const auto again = session::configurationFromLine(written);
  require(again.has_value(), again ? "" : "what configurationLine() wrote is refused: " + describe(again.error()));
  // Options of a provider whose name has a dot are taken for another's: "ep.NAME.OPTION".
  const bool isPlain = std::ranges::none_of(read->providerOptions,
                                            [](const auto& each) { return each.first.find('.') != std::string::npos; });
  const std::string second = session::configurationLine(*again, {});
  require(!isPlain || second == written, "written otherwise the second time: " + second + " instead of " + written);
}

void supportProfile(std::string_view bytes) {
  const auto json = declared::parseLocatedJson(bytes);
  if (!judged(json, bytes)) return;
  const declared::ProfileReading reading = declared::readProfile(*json);
  for (const declared::ProfileError& each : reading.errors.all())
    judgeMessage({ErrorCode::kInvalidArgument, declared::toText(each), {}}, bytes);
}

void record(std::string_view bytes) {
  const auto read = onnxruntime::parseRecord(bytes);
  if (!judged(read, bytes)) return;
  const std::string written = onnxruntime::recordText(*read);
  const auto again = onnxruntime::parseRecord(written);
  require(again.has_value(), again ? "" : "what recordText() wrote is refused: " + describe(again.error()));
  require(onnxruntime::recordText(*again) == written, "written otherwise the second time");
  for (const onnxruntime::RecordedQuestion& each : read->questions)
    require(read->questionOf(each.provider, each.print) != nullptr, "a question is not found again");
  for (const onnxruntime::RecordedSession& each : read->sessions)
    require(read->sessionOf(each.provider, each.print) != nullptr, "a session is not found again");
}

void edits(std::string_view bytes) {
  const auto list = edit::editsFromJson(bytes);
  if (!judged(list, bytes)) return;
  const auto again = edit::editsFromJson(edit::editsToJson(*list));
  require(again.has_value() && again->size() == list->size(), "what editsToJson() wrote is refused");
}

constexpr auto kTargets = std::to_array<ReaderTarget>({
    {"npy", npy},
    {"pb", pb},
    {"text", text},
    {"context", contextBinary},
    {"inside", insideNodes},
    {"profile", readSavedProfile},
    {"trace", readTrace},
    {"settings", configuration},
    {"line", configurationLine},
    {"support", supportProfile},
    {"record", record},
    {"edits", edits},
    {"protocol", readProtocol},
    {"asking", readAsking},
    {"model", readModel},
    {"file", readModelFile},
    {"walk", walkModel},
#ifdef CUTAWAY_RUNS_MODELS
    {"run", runModel},
#endif
#ifdef CUTAWAY_HAS_SESSIONS
    {"session", readSession},
#endif
});

}  // namespace

std::span<const ReaderTarget> readerTargets() {
  return kTargets;
}

std::optional<std::string> mutatedByForm(std::string_view bytes, Random& random) {
  if (context_binary::ContextBinary::isOurs(spanOf(bytes))) {
    std::string damaged(bytes);
    damageBinary(damaged, {}, random);
    return damaged;
  }
  std::optional<std::string> changed = mutatedJson(bytes, random);
  return changed ? changed : mutatedModel(bytes, random);
}

}  // namespace cutaway::fuzz
