#include "tests/fuzz/readers/targets.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <unistd.h>

#include "engine/context_binary/binary_reader.h"
#include "engine/context_binary/inside_nodes.h"
#include "engine/edit/model_edit.h"
#include "engine/graph/text.h"
#include "engine/profile/profiles.h"
#include "engine/session/configuration/configuration.h"
#include "engine/stages/load/npy_file.h"
#include "engine/stages/load/tensor_file.h"
#include "providers/declared/profile_reader.h"
#include "providers/onnxruntime/protocol/channel.h"
#include "providers/onnxruntime/protocol/messages.h"
#include "providers/onnxruntime/record/record_file.h"
#include "providers/openvino/asking/wire.h"
#include "tests/fuzz/readers/json_mutation.h"
#include "tests/fuzz/readers/message_rules.h"
#include "tests/fuzz/readers/proto_mutation.h"

namespace cutaway::fuzz {

namespace {

ByteSpan spanOf(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

template <typename T>
bool judged(const Result<T>& result, std::string_view input) {
  if (!result) judgeMessage(result.error(), input);
  return result.has_value();
}

void must(bool isTrue, const char* what) {
  if (isTrue) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// What was read and written is read again, and is the same.
void npy(std::string_view bytes) {
  const Result<Tensor> tensor = load::readNpy(spanOf(bytes));
  if (!judged(tensor, bytes) || tensor->sizeBytes() > 1 << 20) return;
  const Result<std::string> written = load::writeNpy(*tensor);
  if (!judged(written, bytes)) return;
  const Result<Tensor> again = load::readNpy(spanOf(*written));
  must(again.has_value(), "what writeNpy() wrote is refused");
  must(std::ranges::equal(again->dims(), tensor->dims()), "other dims after writing and reading");
}

// The first byte says what the model expects there: a .pb file does not.
void pb(std::string_view bytes) {
  if (bytes.empty()) return;
  static const std::string path = fmt::format("/dev/shm/fuzz_readers_{}.pb", getpid());
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  must(file != nullptr, "no room in /dev/shm");
  std::fwrite(bytes.data() + 1, 1, bytes.size() - 1, file);
  std::fclose(file);
  const ValueType tensor = ValueType::tensor(ElementType::kFloat, std::nullopt);
  const std::array<ValueType, 3> expected{tensor, ValueType::sequence(tensor), ValueType::optional(tensor)};
  judged(load::readTensorFile(path, expected[static_cast<unsigned char>(bytes[0]) % expected.size()]), bytes);
  std::filesystem::remove(path);
}

void text(std::string_view bytes) {
  const Result<Model> model = parseModelText(bytes);
  if (!judged(model, bytes)) return;
  const std::string printed = printModel(*model, {.maxInlineElements = 1 << 20});
  const Result<Model> again = parseModelText(printed);
  must(again.has_value(), "what printModel() wrote is refused");
  must(printModel(*again, {.maxInlineElements = 1 << 20}) == printed, "printed otherwise the second time");
}

void contextBinary(std::string_view bytes) {
  const auto held = std::make_shared<const std::string>(bytes);
  const auto binary = context_binary::ContextBinary::open(spanOf(*held), held, "fuzzed.bin");
  if (!judged(binary, bytes)) return;
  const Progress progress;
  judged((*binary)->verifyAll(progress), bytes);
  for (const context_binary::ContextPartition& each : (*binary)->partitions())
    (*binary)->find(each.source, each.name);
}

void insideNodes(std::string_view bytes) {
  judged(context_binary::readInside(bytes), bytes);
}

void savedProfile(std::string_view bytes) {
  judged(profile::readProfile(bytes, "profile.json"), bytes);
}

// On a graph with names that the corpus has, too.
void trace(std::string_view bytes) {
  static const WalkReport walk = [] {
    auto graphs = std::make_shared<ModelGraphs>();
    graphs->graphs.emplace_back();
    for (const char* name : {"conv1", "relu", "Conv_3"}) {
      graphs->graphs[0].nodes.emplace_back();
      graphs->graphs[0].nodes.back().name = name;
      graphs->graphs[0].nodes.back().opType = "Conv";
    }
    WalkReport made;
    made.partitionedGraphs = made.loadedGraphs = graphs;
    return made;
  }();
  judged(profile::readTrace(bytes, "trace.json", walk), bytes);
}

void configuration(std::string_view bytes) {
  const auto read = session::configurationFromJson(bytes, "settings.json");
  if (!judged(read, bytes)) return;
  const std::string written = session::configurationToJson(*read);
  const auto again = session::configurationFromJson(written, "settings.json");
  must(again.has_value(), "what configurationToJson() wrote is refused");
  must(session::configurationToJson(*again) == written, "written otherwise the second time");
}

void supportProfile(std::string_view bytes) {
  const auto json = declared::parseLocatedJson(bytes);
  if (!judged(json, bytes)) return;
  const declared::ProfileReading reading = declared::readProfile(*json);
  for (const declared::ProfileError& each : reading.errors.all())
    judgeMessage({ErrorCode::kInvalidArgument, declared::toText(each), {}}, bytes);
}

void record(std::string_view bytes) {
  judged(onnxruntime::parseRecord(bytes), bytes);
}

void edits(std::string_view bytes) {
  const auto list = edit::editsFromJson(bytes);
  if (!judged(list, bytes)) return;
  const auto again = edit::editsFromJson(edit::editsToJson(*list));
  must(again.has_value() && again->size() == list->size(), "what editsToJson() wrote is refused");
}

template <typename T>
void readMessage(std::string_view body) {
  onnxruntime::ByteReader reader(body);
  T message;
  reader(message);
  if (!reader.good() || !reader.atEnd()) return;
  onnxruntime::ByteWriter writer;
  writer(message);
  must(writer.take() == body, "a message is written otherwise than it was read");
}

// A header, or a kind of message and its body.
void protocol(std::string_view bytes) {
  using namespace onnxruntime;
  if (bytes.empty()) return;
  const std::string_view body = bytes.substr(1);
  static constexpr std::array<void (*)(std::string_view), 14> kMessages{readMessage<Hello>,
                                                                        readMessage<ShareMemory>,
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
                                                                        readMessage<Reply<CompiledModel>>};
  const size_t kind = static_cast<unsigned char>(bytes[0]) % (kMessages.size() + 1);
  if (kind < kMessages.size()) return kMessages[kind](body);
  FrameHeader header;
  if (body.size() < sizeof header) return;
  std::memcpy(&header, body.data(), sizeof header);
  problemOf(header, body.size() - sizeof header, header.descriptors % 4);
}

// Either side of the talk with the process that asks OpenVINO.
void asking(std::string_view bytes) {
  if (const auto asked = openvino::inquiryFrom(bytes))
    must(openvino::inquiryFrom(openvino::bytesOf(*asked)).has_value(), "a question is refused after writing");
  if (const auto said = openvino::saidFrom(bytes))
    must(openvino::bytesOf(*said) == bytes, "an answer is written otherwise");
  if (const auto greeting = openvino::greetingFrom(bytes))
    must(openvino::bytesOf(*greeting) == bytes, "a greeting is written otherwise");
}

constexpr auto kTargets = std::to_array<ReaderTarget>({
    {"npy", npy},
    {"pb", pb},
    {"text", text},
    {"context", contextBinary},
    {"inside", insideNodes},
    {"profile", savedProfile},
    {"trace", trace},
    {"settings", configuration},
    {"support", supportProfile},
    {"record", record},
    {"edits", edits},
    {"protocol", protocol},
    {"asking", asking},
    {"model", readModel},
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
  std::optional<std::string> changed = mutatedJson(bytes, random);
  return changed ? changed : mutatedModel(bytes, random);
}

}  // namespace cutaway::fuzz
