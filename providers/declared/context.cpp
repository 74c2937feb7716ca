// Placeholders out and in. A restored group checks what it is fed: its kernels were made for types that only its own
// graph vouches for.
#include "providers/declared/context.h"

#include "engine/provider/channels_last.h"
#include "engine/provider/graph_interpreter.h"
#include "engine/provider/graph_sections.h"

namespace cutaway::declared {

namespace {

constexpr std::string_view kMark = "cutaway-declared 1";
constexpr size_t kShownBytes = 80;

std::string versionOf(const Profile& profile) {
  return fmt::format("{}; {}", profile.version, profile.date);
}

// Beginning of a text from outside, for messages.
std::string shown(std::string_view text) {
  std::string line(text.substr(0, text.find('\n')));
  if (line.size() > kShownBytes) line = line.substr(0, kShownBytes) + "...";
  return line;
}

std::string profileText(const Profile& profile) {
  return fmt::format("{}\n{}\n{}\n", kMark, profile.name, versionOf(profile));
}

Result<void> checkProfile(const Profile& profile, const context_binary::ContextPartition& partition) {
  const context_binary::ContextSection* section = partition.find(kProfileSection);
  if (section == nullptr)
    return fail(ErrorCode::kEpFail, "the context has no section '{}': it was made by another version, or changed",
                kProfileSection);
  const std::string_view text(reinterpret_cast<const char*>(section->bytes.data()), section->bytes.size());
  if (text == profileText(profile)) return {};
  const size_t end = text.find('\n');
  if (text.substr(0, end) != kMark || end == std::string_view::npos)
    return fail(ErrorCode::kEpFail, "section '{}' begins with '{}': it was made by another version, or changed",
                kProfileSection, shown(text));
  const std::string name = shown(text.substr(end + 1));
  if (name != profile.name)
    return fail(ErrorCode::kEpFail,
                "the placeholder stands for profile '{}', and this is '{}': open it with declared({})", name,
                profile.name, name);
  return fail(ErrorCode::kEpFail,
              "the placeholder was made with another version of profile '{}' than '{}': make it again", profile.name,
              versionOf(profile));
}

// Runs what was stored once its inputs are what the ports say. Nothing is allocated.
class RestoredGroup final : public Kernel {
 public:
  RestoredGroup(std::shared_ptr<const Kernel> kernel, std::vector<context_binary::ContextPort> inputs)
      : m_kernel(std::move(kernel)), m_inputs(std::move(inputs)) {}

  Result<void> run(KernelContext& context) const override {
    for (size_t slot = 0; slot < m_inputs.size(); ++slot) {
      const Tensor* tensor = context.input(slot);
      if (tensor == nullptr || !fits(*tensor, m_inputs[slot].type)) {
        return fail(ErrorCode::kEpFail, "input '{}' is {}{}, and the stored group takes {}", m_inputs[slot].name,
                    tensor == nullptr ? "absent" : elementTypeName(tensor->type()),
                    tensor == nullptr ? "" : dimsToText(tensor->dims()), toText(m_inputs[slot].type));
      }
    }
    return m_kernel->run(context);
  }
  std::unique_ptr<KernelState> createState() const override { return m_kernel->createState(); }
  std::string_view variant() const override { return m_kernel->variant(); }
  int64_t packedBytes() const override { return m_kernel->packedBytes(); }

 private:
  static bool fits(const Tensor& tensor, const ValueType& type) {
    if (tensor.type() != type.element) return false;
    if (!type.shape) return true;
    if (tensor.rank() != type.shape->rank()) return false;
    for (size_t axis = 0; axis < tensor.rank(); ++axis) {
      if ((*type.shape)[axis].isKnown() && (*type.shape)[axis].value() != tensor.dims()[axis]) return false;
    }
    return true;
  }

  std::shared_ptr<const Kernel> m_kernel;
  std::vector<context_binary::ContextPort> m_inputs;
};

}  // namespace

ContextSupport supportOf(const Profile& profile) {
  if (!profile.groups.compiled)
    return {.kind = ContextKind::kNone,
            .reason = fmt::format("profile {} runs single nodes: nothing is compiled that could be kept", profile.name),
            .sdkVersion = {},
            .hardware = {}};
  return {.kind = ContextKind::kDescribed,
          .reason = fmt::format("{} is simulated: a placeholder is kept, the group's graph and weights, which the real "
                                "hardware does not load",
                                profile.title),
          .sdkVersion = versionOf(profile),
          .hardware = (profile.hardware.empty() ? profile.title : profile.hardware) + " (simulated)"};
}

Result<context_binary::ContextPartition> exportDescribed(const Profile& profile, const FusedSubGraph& group) {
  Graph graph = group.graph;
  CUTAWAY_CHECK(
      lowerChannelsLast(graph));  // as the interpreter would: what is stored has only operators that schemas know
  context_binary::ContextPartition partition;
  partition.notes = fmt::format("simulated {} by Cutaway; not loadable on the real hardware", profile.title);
  const auto text = std::make_shared<const std::string>(profileText(profile));
  partition.sections.push_back({kProfileSection, std::as_bytes(std::span(*text)), text});
  CUTAWAY_TRY(std::vector<context_binary::ContextSection> sections, writeGraphSections(graph, group.model));
  for (context_binary::ContextSection& section : sections)
    partition.sections.push_back(std::move(section));
  return partition;
}

Result<CompiledNode> restoreDescribed(const Profile& profile, const ContextRestore& stored,
                                      const KernelRegistry& kernels, const Progress& progress) {
  CUTAWAY_CHECK(checkProfile(profile, stored.partition));
  CUTAWAY_TRY(Model model, readGraphSections(stored.partition, stored.keepAlive, progress));
  Result<std::shared_ptr<const Kernel>> kernel = interpretGraph(std::move(model.graph), kernels);
  if (!kernel)
    return fail(ErrorCode::kEpFail, "the stored graph does not run on the kernels of this session: {}",
                kernel.error().message);
  return CompiledNode{.kernel = std::make_shared<const RestoredGroup>(*std::move(kernel), stored.partition.inputs),
                      .inplace = {}};
}

std::string compatibilityText(const Profile& profile) {
  return profile.groups.compiled ? fmt::format("{}; {}; {}", kMark, profile.name, versionOf(profile)) : std::string();
}

CompatibilityVerdict judgeCompatibility(std::string_view info, const Profile& profile) {
  if (info.empty()) return {};
  if (info == compatibilityText(profile)) return {ContextCompatibility::kOptimal, {}};
  return {ContextCompatibility::kUnsupported,
          fmt::format("its placeholders were made by '{}', and this is '{}; {}'; make them again", shown(info),
                      profile.name, versionOf(profile))};
}

}  // namespace cutaway::declared
