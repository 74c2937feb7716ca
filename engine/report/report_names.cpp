// The words for every enumeration of the reports: one table each, in enumeration order.
#include <iterator>

#include "engine/report/advice_report.h"
#include "engine/report/model_diff.h"
#include "engine/report/walk_report.h"

namespace cutaway {

namespace {

template <size_t N>
const char* nameAt(const char* const (&names)[N], size_t index) {
  return index < N ? names[index] : "unknown";
}

}  // namespace

const char* valueRoleName(ValueRole role) {
  static const char* const kNames[] = {"intermediate", "input", "overridable initializer", "constant", "output",
                                       "outer scope",  "unused"};
  return nameAt(kNames, static_cast<size_t>(role));
}

const char* refusalCauseName(RefusalCause cause) {
  static const char* const kNames[] = {"operator",  "version", "type",       "shape",    "rank",
                                       "attribute", "input",   "option",     "domain",   "cycle",
                                       "too small", "memory",  "compile",    "policy",   "not usable",
                                       "other",     "pin",     "bad answer", "placement"};
  return nameAt(kNames, static_cast<size_t>(cause));
}

const char* adviceMeasureName(AdviceMeasure measure) {
  static const char* const kNames[] = {
      "nodes left to the last provider", "planned peak", "buffers without a size", "copies", "copied bytes", "groups",
      "nodes after optimisation"};
  return nameAt(kNames, static_cast<size_t>(measure));
}

bool isBytes(AdviceMeasure measure) {
  return measure == AdviceMeasure::kPeakBytes || measure == AdviceMeasure::kCopiedBytes;
}

const char* verdictName(Verdict verdict) {
  static const char* const kNames[] = {"claimed",        "refused",        "already taken",
                                       "group rejected", "compile failed", "released"};
  return nameAt(kNames, static_cast<size_t>(verdict));
}

const char* choiceBasisName(ChoiceBasis basis) {
  static const char* const kNames[] = {"named", "default", "modelled", "measured", "all"};
  return nameAt(kNames, static_cast<size_t>(basis));
}

const char* allocRuleName(AllocRule rule) {
  switch (rule) {
    case AllocRule::kNone:
      return "none";
    case AllocRule::kFeed:
      return "feed";
    case AllocRule::kOuter:
      return "outer value";
    case AllocRule::kWeight:
      return "weight";
    case AllocRule::kExternal:
      return "external";
    case AllocRule::kOutput:
      return "output";
    case AllocRule::kShared:
      return "shared";
    case AllocRule::kView:
      return "view";
    case AllocRule::kInPlace:
      return "in place";
    case AllocRule::kPart:
      return "part";
    case AllocRule::kSplitPart:
      return "split part";
    case AllocRule::kIntoOutput:
      return "into output";
    case AllocRule::kFreeBuffer:
      return "free buffer";
    case AllocRule::kLargerBuffer:
      return "larger buffer";
    case AllocRule::kNewBuffer:
      return "new buffer";
  }
  return "?";
}

const char* streamCommandName(StreamCommandKind kind) {
  switch (kind) {
    case StreamCommandKind::kLaunchKernel:
      return "LaunchKernel";
    case StreamCommandKind::kBarrier:
      return "Barrier";
    case StreamCommandKind::kWaitOnEp:
      return "WaitOnEP";
    case StreamCommandKind::kActivateNotification:
      return "ActivateNotification";
    case StreamCommandKind::kTriggerDownstream:
      return "TriggerDownstream";
  }
  return "?";
}

const char* allocKindName(AllocKind kind) {
  static const char* const kNames[] = {"NotSet",      "Allocate",           "Reuse",
                                       "PreExisting", "AllocateStatically", "AllocateOutput",
                                       "Share",       "AllocatedExternally"};
  return nameAt(kNames, static_cast<size_t>(static_cast<int>(kind) + 1));
}

const char* stageId(Stage stage) {
  static const char* const kNames[] = {"load",     "resolve", "optimize", "partition", "schedule",
                                       "allocate", "pattern", "run",      "context"};
  return nameAt(kNames, static_cast<size_t>(stage));
}

const char* stageTitle(Stage stage) {
  static const char* const kNames[] = {"Load",       "Inputs & outputs", "Optimize", "Partition", "Order",
                                       "Allocation", "Pattern",          "Run",      "Context"};
  return nameAt(kNames, static_cast<size_t>(stage));
}

const char* diffKindName(DiffKind kind) {
  constexpr const char* kNames[] = {"same", "changed", "only in A", "only in B"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace cutaway
