// Export writes OpenVINO's stream once, into the memory that the file is written from; restore hands OpenVINO the
// mapped bytes.
#include "providers/openvino/context.h"

#include <algorithm>

#include "providers/openvino/blob_layout.h"
#include "providers/openvino/foreign_blob.h"
#include "providers/openvino/group_kernel.h"
#include "providers/openvino/questions.h"
#include "providers/openvino/stored_group.h"

namespace cutaway::openvino {

namespace {

constexpr std::string_view kInfoMark = "cutaway-openvino 1; build ";
constexpr std::string_view kInfoDevice = "; device ";

// Where doubling a buffer as large as the weights would cost as much memory again.
size_t expectedBytes(const Graph& group) {
  int64_t bytes = 1 << 20;
  for (const ValueId id : group.initializers())
    bytes += group.value(id).initializer->sizeBytes();
  return static_cast<size_t>(bytes + bytes / 32);
}

Result<std::shared_ptr<const std::string>> blobOf(Compiled& compiled, const Graph& group, const Progress& progress) {
  auto blob = std::make_shared<std::string>();
  std::string problem;
  blob->reserve(expectedBytes(group));
  compiled.exportBlob(*blob, [&progress] { return progress.cancelled(); }, problem);
  if (progress.cancelled()) return fail(cancelledError());
  if (!problem.empty())
    return fail(ErrorCode::kEngineError, "OpenVINO does not export the group: {}", shortened(problem));
  if (blob->empty()) return fail(ErrorCode::kEngineError, "OpenVINO exported nothing for the group");
  return std::shared_ptr<const std::string>(std::move(blob));
}

context_binary::ContextSection sectionOf(const char* name, std::shared_ptr<const std::string> text) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(*text));
  return {name, bytes, std::move(text)};
}

Result<const context_binary::ContextSection*> sectionNamed(const context_binary::ContextPartition& partition,
                                                           const char* name) {
  const context_binary::ContextSection* section = partition.find(name);
  if (section == nullptr)
    return fail(ErrorCode::kEpFail, "the context has no section '{}': it was made by another version, or changed",
                name);
  return section;
}

// The slots of the stored ports, each within the node's and of its element type; every output once, no input twice.
Result<std::vector<size_t>> slotsOf(const std::vector<StoredPort>& stored,
                                    const std::vector<context_binary::ContextPort>& ports, const char* what) {
  std::vector<size_t> slots;
  std::vector<char> taken(ports.size(), 0);
  for (const StoredPort& port : stored) {
    if (port.slot >= ports.size() || taken[port.slot] != 0)
      return fail(ErrorCode::kEpFail, "the group's description gives {} {} twice or beyond the {} that there are", what,
                  port.slot, ports.size());
    if (port.element != static_cast<int32_t>(ports[port.slot].type.element)) {
      return fail(ErrorCode::kEpFail, "{} '{}' is {} in the context, and its group was compiled with another type",
                  what, ports[port.slot].name, elementTypeName(ports[port.slot].type.element));
    }
    taken[port.slot] = 1;
    slots.push_back(port.slot);
  }
  return slots;
}

Result<GroupSlots> slotsOf(const StoredGroup& stored, const context_binary::ContextPartition& partition) {
  GroupSlots slots{.inputs = {}, .outputs = {}, .integerBits = stored.integerBits};
  CUTAWAY_TRY(slots.inputs, slotsOf(stored.inputs, partition.inputs, "input"));
  CUTAWAY_TRY(slots.outputs, slotsOf(stored.outputs, partition.outputs, "output"));
  if (slots.outputs.size() != partition.outputs.size())
    return fail(ErrorCode::kEpFail, "the group was compiled with {} outputs, and the context has {}",
                slots.outputs.size(), partition.outputs.size());
  return slots;
}

bool samePorts(const std::vector<Port>& imported, const std::vector<StoredPort>& stored) {
  return std::ranges::equal(imported, stored, [](const Port& port, const StoredPort& kept) {
    return port.element == kept.element && port.isStatic == kept.isStatic && port.isPassed == kept.isPassed &&
           port.dims == kept.dims;
  });
}

Result<void> checkMaker(Bridge& bridge, const OpenvinoOptions& options, const StoredGroup& stored) {
  if (stored.build != bridge.version())
    return fail(ErrorCode::kEpFail, "it was compiled by OpenVINO {}, and this is {}: compile it again here",
                shortened(stored.build), bridge.version());
  if (stored.device != options.device)
    return fail(ErrorCode::kEpFail,
                "it was compiled for device {}, and provider openvino uses {} here: open it with "
                "openvino{{device={}}}, or compile it again",
                shortened(stored.device), options.device, shortened(stored.device));
  return {};
}

}  // namespace

ContextSupport supportOf(Bridge& bridge, const OpenvinoOptions& options) {
  std::string problem;
  const DeviceFacts facts = bridge.deviceFacts(options.device, problem);
  if (!problem.empty())
    return {.kind = ContextKind::kNone,
            .reason = fmt::format("OpenVINO says nothing about device {}: {}", options.device, shortened(problem)),
            .sdkVersion = {},
            .hardware = {}};
  if (!facts.canExport)
    return {.kind = ContextKind::kNone,
            .reason = fmt::format("OpenVINO's plugin for device {} does not export compiled models", options.device),
            .sdkVersion = {},
            .hardware = {}};
  return {.kind = ContextKind::kCompiled, .reason = {}, .sdkVersion = bridge.version(), .hardware = facts.description};
}

Result<context_binary::ContextPartition> exportGroup(Bridge& bridge, const OpenvinoOptions& options,
                                                     const ContextExport& compiled, const Progress& progress) {
  const GroupParts parts = partsOf(compiled.kernel);
  if (parts.compiled == nullptr)
    return fail(ErrorCode::kEpFail, "group {} has no kernel that OpenVINO compiled", compiled.group.fusedName);
  CUTAWAY_TRY(std::shared_ptr<const std::string> blob, blobOf(*parts.compiled, compiled.group.graph, progress));
  const StoredGroup stored{.build = bridge.version(),
                           .device = options.device,
                           .precision = options.precision,
                           .blobBytes = blob->size(),
                           .integerBits = parts.places->integerBits,
                           .inputs = storedPorts(parts.compiled->inputs(), parts.places->inputs),
                           .outputs = storedPorts(parts.compiled->outputs(), parts.places->outputs)};
  context_binary::ContextPartition partition;
  partition.notes = fmt::format("compiled by OpenVINO {} for {}, {}", stored.build, stored.device, stored.precision);
  partition.sections.push_back(sectionOf(kGroupSection, std::make_shared<const std::string>(writeStoredGroup(stored))));
  partition.sections.push_back(sectionOf(kBlobSection, std::move(blob)));
  return partition;
}

Result<CompiledNode> restoreGroup(Bridge& bridge, const OpenvinoOptions& options, int threads,
                                  const ContextRestore& context) {
  const context_binary::ContextPartition& partition = context.partition;
  CUTAWAY_TRY(const context_binary::ContextSection* const description, sectionNamed(partition, kGroupSection));
  CUTAWAY_TRY(const context_binary::ContextSection* const blob, sectionNamed(partition, kBlobSection));
  CUTAWAY_TRY(const StoredGroup stored,
              readStoredGroup({reinterpret_cast<const char*>(description->bytes.data()), description->bytes.size()}));
  CUTAWAY_CHECK(checkMaker(bridge, options, stored));
  if (blob->bytes.size() != stored.blobBytes)
    return fail(ErrorCode::kEpFail, "section '{}' has {} bytes, and the group's description says {}", kBlobSection,
                blob->bytes.size(), stored.blobBytes);
  if (stored.device == "CPU") CUTAWAY_CHECK(checkCpuBlob(blob->bytes, stored.build));
  CUTAWAY_TRY(GroupSlots slots, slotsOf(stored, partition));

  OpenvinoOptions used = options;
  used.precision = stored.precision;
  used.cacheFolder.clear();
  std::string problem;
  std::shared_ptr<Compiled> compiled =
      bridge.importBlob({blob->bytes.data(), blob->bytes.size()}, compileSettings(used, threads), problem);
  if (compiled == nullptr)
    return fail(ErrorCode::kEpFail, "OpenVINO does not take the stored group: {}", shortened(problem));
  if (!samePorts(compiled->inputs(), stored.inputs) || !samePorts(compiled->outputs(), stored.outputs)) {
    return fail(ErrorCode::kEpFail, "OpenVINO restored a group with other inputs or outputs than its description says");
  }
  const auto keepAlive = std::make_shared<const std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(
      context.keepAlive, blob->keepAlive);
  return CompiledNode{.kernel = makeGroupKernel(std::move(compiled), std::move(slots), keepAlive, options.device),
                      .inplace = {}};
}

Result<CompiledNode> restoreForeign(Bridge& bridge, Asker& asker, const OpenvinoOptions& options, int threads,
                                    const VendorContext& context, const Progress& progress) {
  const auto name = std::ranges::find(context.attributes, std::string_view("partition_name"), &Attribute::name);
  const auto* const partition = name == context.attributes.end() ? nullptr : std::get_if<std::string>(&name->value);
  CUTAWAY_TRY(const std::span<const std::byte> bytes,
              foreignBlob(context.bytes, partition == nullptr ? std::string() : *partition));
  if (options.device == "CPU") CUTAWAY_CHECK(checkCpuBlob(bytes, bridge.version()));
  // A view of a file that somebody else writes to may change under OpenVINO's hands, and its reader wants aligned
  // weights.
  const auto blob = std::make_shared<const std::string>(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto turn = asker.turn(progress);
  asker.begin(progress);
  if (const std::string problem = asker.importProblem(*blob, options.device, progress); !problem.empty())
    return fail(ErrorCode::kEpFail, "OpenVINO does not take the blob of ONNX Runtime's provider: {}",
                shortened(problem));
  if (progress.cancelled()) return fail(cancelledError());
  OpenvinoOptions used = options;
  used.cacheFolder.clear();
  std::string problem;
  std::shared_ptr<Compiled> compiled =
      bridge.importBlob({blob->data(), blob->size()}, compileSettings(used, threads), problem);
  if (compiled == nullptr)
    return fail(ErrorCode::kEpFail, "OpenVINO does not take the blob of ONNX Runtime's provider: {}",
                shortened(problem));
  GroupPorts ports;
  for (const auto& [given, wanted] : {std::pair(&context.inputs, &ports.inputs), {&context.outputs, &ports.outputs}}) {
    for (const context_binary::ContextPort& each : *given)
      wanted->push_back({each.name, each.type.element});
  }
  CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, makeGroupKernel(std::move(compiled), ports, blob, options.device));
  return CompiledNode{.kernel = std::move(kernel), .inplace = {}};
}

std::string compatibilityText(const ContextSupport& support) {
  if (support.kind == ContextKind::kNone) return {};
  return fmt::format("{}{}{}{}", kInfoMark, support.sdkVersion, kInfoDevice, support.hardware);
}

CompatibilityVerdict judgeCompatibility(std::string_view info, const ContextSupport& support) {
  if (info.empty()) return {};
  const auto unsupported = [](std::string reason) {
    return CompatibilityVerdict{ContextCompatibility::kUnsupported, std::move(reason)};
  };
  if (support.kind == ContextKind::kNone) return unsupported(support.reason);
  if (info == compatibilityText(support)) return {ContextCompatibility::kOptimal, {}};
  if (info.starts_with('{')) {  // ONNX Runtime's provider for OpenVINO
    std::string objection = foreignObjection(info, support.sdkVersion);
    return objection.empty() ? CompatibilityVerdict{ContextCompatibility::kOptimal, {}}
                             : unsupported(std::move(objection));
  }
  const size_t device = info.find(kInfoDevice);
  if (!info.starts_with(kInfoMark) || device == std::string_view::npos)
    return unsupported("the model was compiled by another version of this program; compile it again here");
  const std::string_view build = info.substr(kInfoMark.size(), device - kInfoMark.size());
  // A blob is good for the build that made it: OpenVINO promises no more.
  if (build != support.sdkVersion)
    return unsupported(fmt::format("it was compiled by OpenVINO {}, and this is {}; compile it again here",
                                   shortened(std::string(build)), support.sdkVersion));
  return unsupported(fmt::format("it was compiled for {}, and this is {}; compile it again here",
                                 shortened(std::string(info.substr(device + kInfoDevice.size()))), support.hardware));
}

}  // namespace cutaway::openvino
