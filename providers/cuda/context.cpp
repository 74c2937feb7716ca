// Keeping groups and taking them back. What is read may be written by strangers: every length is checked against what
// is left.

#include "providers/cuda/context.h"

#include <algorithm>
#include <charconv>

#include "engine/provider/graph_sections.h"

namespace cutaway::cuda {
namespace {

constexpr uint64_t kMostArtifacts = 1'000'000;

void addNumber(std::string& to, uint64_t value) {
  for (int byte = 0; byte < 8; ++byte)
    to.push_back(static_cast<char>(value >> (8 * byte)));
}

// Numbers are little-endian, 8 bytes.
class ArtifactReader {
 public:
  explicit ArtifactReader(std::span<const std::byte> bytes) : m_rest(bytes) {}
  Result<uint64_t> number(uint64_t most) {
    if (m_rest.size() < 8)
      return fail(ErrorCode::kEpFail, "the compiled group is damaged: its artifacts end too early");
    uint64_t value = 0;
    for (size_t byte = 0; byte < 8; ++byte)
      value |= static_cast<uint64_t>(m_rest[byte]) << (8 * byte);
    if (value > most)
      return fail(ErrorCode::kEpFail, "the compiled group is damaged: {} where at most {} is possible", value, most);
    m_rest = m_rest.subspan(8);
    return value;
  }
  Result<std::span<const std::byte>> bytes() {
    CUTAWAY_TRY(const uint64_t size, number(m_rest.size()));
    if (size > m_rest.size())
      return fail(ErrorCode::kEpFail, "the compiled group is damaged: its artifacts end too early");
    const auto found = m_rest.first(static_cast<size_t>(size));
    m_rest = m_rest.subspan(static_cast<size_t>(size));
    return found;
  }
  bool atEnd() const { return m_rest.empty(); }

 private:
  std::span<const std::byte> m_rest;
};

context_binary::ContextSection artifactSection(const ArtifactMemory& artifacts) {
  auto bytes = std::make_shared<std::string>();
  const auto all = artifacts.all();
  addNumber(*bytes, kContextRevision);
  addNumber(*bytes, all.size());
  for (const auto& [key, content] : all) {
    addNumber(*bytes, key.size());
    *bytes += key;
    addNumber(*bytes, content.size());
    bytes->append(reinterpret_cast<const char*>(content.data()), content.size());
  }
  return {.name = kArtifactSection, .bytes = std::as_bytes(std::span(*bytes)), .keepAlive = bytes};
}

Result<std::shared_ptr<ArtifactMemory>> readArtifacts(const context_binary::ContextPartition& partition) {
  const context_binary::ContextSection* section = partition.find(kArtifactSection);
  if (section == nullptr) return fail(ErrorCode::kEpFail, "the compiled group has no section '{}'", kArtifactSection);
  ArtifactReader reader(section->bytes);
  CUTAWAY_TRY(const uint64_t revision, reader.number(UINT32_MAX));
  if (revision != kContextRevision)
    return fail(ErrorCode::kEpFail, "the compiled group has revision {}, this program reads {}", revision,
                kContextRevision);
  CUTAWAY_TRY(const uint64_t count, reader.number(kMostArtifacts));
  auto artifacts = std::make_shared<ArtifactMemory>(std::filesystem::path(), true);
  for (uint64_t i = 0; i < count; ++i) {
    CUTAWAY_TRY(const std::span<const std::byte> key, reader.bytes());
    CUTAWAY_TRY(const std::span<const std::byte> content, reader.bytes());
    artifacts->keep(std::string_view(reinterpret_cast<const char*>(key.data()), key.size()), content);
  }
  if (!reader.atEnd())
    return fail(ErrorCode::kEpFail, "the compiled group is damaged: there is something behind its artifacts");
  return artifacts;
}

// "key=value;..."
std::string_view field(std::string_view info, std::string_view key) {
  while (!info.empty()) {
    const std::string_view entry = info.substr(0, info.find(';'));
    info.remove_prefix(std::min(info.size(), entry.size() + 1));
    if (entry.size() > key.size() && entry.starts_with(key) && entry[key.size()] == '=')
      return entry.substr(key.size() + 1);
  }
  return {};
}

std::string shown(const std::string& version) {
  return version.empty() ? "none" : version;
}

CompatibilityVerdict unsupported(std::string reason) {
  return {ContextCompatibility::kUnsupported, std::move(reason)};
}

}  // namespace

ContextSupport contextSupport(const DeviceFacts& facts) {
  return {.kind = ContextKind::kCompiled,
          .reason = {},
          .sdkVersion = fmt::format("CUDA {}, cuBLAS {}, cuDNN {}, revision {}", shown(facts.runtimeVersion),
                                    shown(facts.cublasVersion), shown(facts.cudnnVersion), kContextRevision),
          .hardware = facts.emulated ? facts.architecture + " (emulator)" : facts.architecture};
}

std::string compatibilityInfo(const DeviceFacts& facts) {
  return fmt::format("revision={};architecture={};cublas={};cudnn={};driver={};backend={}", kContextRevision,
                     facts.architecture, shown(facts.cublasVersion), shown(facts.cudnnVersion),
                     shown(facts.driverVersion), facts.emulated ? "emulator" : "cuda");
}

CompatibilityVerdict checkCompatibility(std::string_view info, const DeviceFacts& facts) {
  const std::string_view revisionText = field(info, "revision");
  uint64_t revision = 0;
  const auto [end, problem] = std::from_chars(revisionText.data(), revisionText.data() + revisionText.size(), revision);
  if (revisionText.empty() || problem != std::errc() || end != revisionText.data() + revisionText.size())
    return unsupported("what the model says about its compiled parts is not of this provider");
  if (revision != kContextRevision)
    return unsupported(fmt::format("it was compiled by {} program (revision {}, here {})",
                                   revision > kContextRevision ? "a newer" : "an older", revision, kContextRevision));
  if (field(info, "architecture") != facts.architecture)
    return unsupported(
        fmt::format("it was compiled for {}, this device is {}", field(info, "architecture"), facts.architecture));
  if (field(info, "backend") != (facts.emulated ? "emulator" : "cuda"))
    return unsupported("it was compiled for another kind of backend");
  for (const auto& [key, here] : {std::pair<std::string_view, std::string>{"cublas", shown(facts.cublasVersion)},
                                  {"cudnn", shown(facts.cudnnVersion)}}) {
    if (field(info, key) != here)
      return {ContextCompatibility::kPreferRecompilation,
              fmt::format("it was compiled with {} {}, here is {}", key, field(info, key), here)};
  }
  // Files from before drivers were told of name none.
  const std::string_view driver = field(info, "driver");
  if (!driver.empty() && driver != shown(facts.driverVersion))
    return {ContextCompatibility::kPreferRecompilation,
            fmt::format("it was compiled with driver {}, here is {}", driver, shown(facts.driverVersion))};
  return {ContextCompatibility::kOptimal, {}};
}

Result<context_binary::ContextPartition> exportGroup(const ContextExport& compiled) {
  const auto* kernel = dynamic_cast<const GroupKernel*>(&compiled.kernel);
  if (kernel == nullptr)
    return fail(ErrorCode::kEngineError, "'{}' was not compiled by the cuda provider", compiled.group.fusedName);
  context_binary::ContextPartition partition;
  CUTAWAY_TRY(partition.sections, writeGraphSections(compiled.group.graph, compiled.group.model));
  partition.sections.push_back(artifactSection(kernel->artifacts()));
  return partition;
}

Result<CompiledNode> restoreGroup(const ContextRestore& stored, const GpuResources& provider,
                                  const Progress& progress) {
  if (provider.backend() == nullptr)
    return fail(ErrorCode::kEpFail, "cuda cannot run here, so that nothing can be restored");
  CUTAWAY_TRY(std::shared_ptr<ArtifactMemory> artifacts, readArtifacts(stored.partition));
  context_binary::ContextPartition graphOnly = stored.partition;
  std::erase_if(graphOnly.sections,
                [](const context_binary::ContextSection& section) { return section.name == kArtifactSection; });
  CUTAWAY_TRY(Model model, readGraphSections(graphOnly, stored.keepAlive, progress));
  auto kernel = GroupKernel::create(std::move(model.graph), provider, std::move(artifacts));
  if (!kernel) return fail(ErrorCode::kEpFail, "the compiled group cannot be restored: {}", kernel.error().message);
  return CompiledNode{.kernel = *std::move(kernel), .inplace = {}};
}

}  // namespace cutaway::cuda
