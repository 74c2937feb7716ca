// Whether what was compiled elsewhere runs here: revision of the sections, version of the library, and the instruction
// set that layouts were chosen for.
#include <charconv>
#include <optional>

#include "providers/onednn/context.h"

namespace cutaway::onednn {

namespace {

struct InstructionSet {
  dnnl_cpu_isa_t isa;
  std::string_view name;
};
constexpr InstructionSet kInstructionSets[] = {
    {dnnl_cpu_isa_all, "generic"},
    {dnnl_cpu_isa_sse41, "sse41"},
    {dnnl_cpu_isa_avx, "avx"},
    {dnnl_cpu_isa_avx2, "avx2"},
    {dnnl_cpu_isa_avx2_vnni, "avx2_vnni"},
    {dnnl_cpu_isa_avx512_core, "avx512_core"},
    {dnnl_cpu_isa_avx512_core_vnni, "avx512_core_vnni"},
    {dnnl_cpu_isa_avx512_core_bf16, "avx512_core_bf16"},
    {dnnl_cpu_isa_avx512_core_amx, "avx512_core_amx"},
};

std::string_view nameOf(dnnl_cpu_isa_t isa) {
  for (const InstructionSet& each : kInstructionSets) {
    if (each.isa == isa) return each.name;
  }
  return "other";
}

std::string machine() {
#if defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "other";
#endif
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

CompatibilityVerdict unsupported(std::string reason) {
  return {ContextCompatibility::kUnsupported, std::move(reason)};
}

}  // namespace

ContextSupport contextSupport() {
  return {.kind = ContextKind::kCompiled,
          .reason = {},
          .sdkVersion = fmt::format("oneDNN {}, revision {}", libraryVersion(), kContextRevision),
          .hardware = fmt::format("{} {}", machine(), nameOf(dnnl_get_effective_cpu_isa()))};
}

std::string compatibilityInfo() {
  return fmt::format("revision={};library={};machine={};isa={}", kContextRevision, libraryVersion(), machine(),
                     nameOf(dnnl_get_effective_cpu_isa()));
}

CompatibilityVerdict checkCompatibility(std::string_view info) {
  const std::string_view revisionText = field(info, "revision"), library = field(info, "library"),
                         isa = field(info, "isa");
  uint64_t revision = 0;
  const auto [end, problem] = std::from_chars(revisionText.data(), revisionText.data() + revisionText.size(), revision);
  if (revisionText.empty() || problem != std::errc() || end != revisionText.data() + revisionText.size())
    return unsupported("what the model says about its compiled parts is not of this provider");
  if (revision > kContextRevision)
    return unsupported(
        fmt::format("it was compiled by a newer program (revision {}, here {})", revision, kContextRevision));
  if (revision < kContextRevision)
    return unsupported(
        fmt::format("it was compiled by an older program (revision {}, here {})", revision, kContextRevision));
  if (library != libraryVersion())
    return unsupported(fmt::format("it was compiled with oneDNN {}, here is {}", library, libraryVersion()));
  if (field(info, "machine") != machine())
    return unsupported(fmt::format("it was compiled for {}, this machine is {}", field(info, "machine"), machine()));
  // Layouts of a smaller instruction set could be reordered, but a context is used on the hardware it names and on no
  // other.
  const std::string_view here = nameOf(dnnl_get_effective_cpu_isa());
  if (isa == here) return {ContextCompatibility::kOptimal, {}};
  return unsupported(fmt::format("it was compiled for {}, and this processor has {}", isa, here));
}

}  // namespace cutaway::onednn
