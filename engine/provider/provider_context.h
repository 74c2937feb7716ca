#pragma once
// What a provider does for EPContext models: says what it can keep, exports a compiled group, takes one back.
//
// The partition stage hands EPContext nodes to the provider they name; capability() never sees them. Everything about
// files and paths is done before and after: a provider sees its own sections of bytes, whose checksums agree - those of
// plain numbers by the first run. Somebody hostile may have written them: parse them without trust. Thread rule: as
// ExecutionProvider. Example: see providers/onednn/context_restore.cpp.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/context_binary/context_partition.h"
#include "engine/provider/kernel.h"

namespace cutaway {

enum class ContextKind : uint8_t {
  kNone,       // nothing to keep: nodes run by kernel, or the provider cannot
  kCompiled,   // what was compiled, with its weights
  kDescribed,  // a placeholder: the group itself, described; no compiled code of the hardware it stands for
};

struct ContextSupport {
  ContextKind kind = ContextKind::kNone;
  std::string reason;      // why nothing can be kept, or what the placeholder is; empty for kCompiled
  std::string sdkVersion;  // of the library; a binary with another one is refused
  std::string hardware;    // what it compiles for: "x86-64 avx512_core_vnni"; likewise
};

// The words of onnxruntime for "will this compiled model run here".
enum class ContextCompatibility : uint8_t { kNotApplicable, kOptimal, kPreferRecompilation, kUnsupported };
struct CompatibilityVerdict {
  ContextCompatibility verdict = ContextCompatibility::kNotApplicable;
  std::string reason;  // one sentence; empty for kOptimal
};

struct FusedSubGraph;

// A group as compile() got it, and what came of it.
struct ContextExport {
  const FusedSubGraph& group;
  const Kernel& kernel;
};

// A node to restore. Inputs and outputs of the kernel are those of the partition, in its order; who calls puts those of
// the node in their places.
struct ContextRestore {
  const context_binary::ContextPartition& partition;
  std::shared_ptr<const void> keepAlive;  // of the partition's bytes: a kernel that points into them holds it
  std::string nodeName;
  std::span<const Attribute> attributes{};  // of the node, without those of the schema: what the provider put there
};

}  // namespace cutaway
