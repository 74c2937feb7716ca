#pragma once
// Report of the context stage: what of this model can be kept compiled, what its EPContext nodes are, what was written,
// and whether it loads and agrees.
//
// Thread rule: immutable once published.
// Example: for (const ContextGroup& group : report.groups) show(group.name, group.canSave, group.reason);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/binary_facts.h"
#include "engine/report/graph_report.h"

namespace cutaway {

// A compiled group, or a run of nodes outside of all, as an export would treat it.
struct ContextGroup {
  std::string provider;
  std::string
      name;  // fused node's, as the context node will be called (without a prefix); empty: nodes that run by kernel
  int32_t graph = 0;  // of the optimised graphs
  std::vector<int32_t> nodes;
  bool canSave = false;
  bool isPlaceholder = false;   // described, not compiled: hardware that is not here
  std::string reason;           // why it cannot be saved, or what the placeholder is
  int64_t weightBytes = 0;      // constants inside
  int64_t estimatedBytes = -1;  // of its context; -1: not known before the export
};

enum class CheckState : uint8_t { kPassed, kWarning, kFailed, kSkipped };
const char* checkStateName(CheckState state);  // "passed", "warning", "failed", "skipped"

// One thing that was looked at, in the order it was.
struct ContextCheck {
  std::string
      name;  // "attributes", "path", "file", "format", "checksum", "provider", "SDK version", "hardware", "restored"
  CheckState state = CheckState::kSkipped;
  std::string detail;  // one sentence: what was seen, what to do
};

// An EPContext node of the model in hand.
struct ContextNodeReport {
  int32_t graph = 0;
  int32_t node = 0;  // of the loaded graphs
  std::string name;
  std::string source;       // attribute; empty: not said
  std::string sourceTitle;  // for people: "QNN", "OpenVINO"
  std::string provider;     // who restored it here; empty: nobody
  bool isMain = true;
  bool isEmbedded = false;
  std::string partitionName, sdkVersion, hardware, modelFile, notes;
  std::string file;             // as the node names it; empty when embedded or dependent
  int64_t fileBytes = -1;       // of the binary; -1: not there
  int64_t partitionBytes = -1;  // of this node's sections
  int64_t maxSizeBytes = 0;
  std::string format;  // "Cutaway context 1", "QNN context binary", "OpenVINO blob", "ELF", "unknown"
  bool isPlaceholder = false;
  int64_t insideNodes = -1;  // original nodes; -1: the file does not say
  BinaryDescription binary;
  std::vector<ContextCheck> checks;
  int64_t restoreTimeNs = -1;
  int64_t sharedBytes = 0;  // taken from a context that another session had opened
};

struct ContextFile {
  std::string path;
  std::string what;  // "model", "context binary of onednn", "external initializers"
  int64_t sizeBytes = 0;
};

struct ContextWritten {
  std::vector<ContextFile> files;
  int64_t contextNodes = 0;
  int64_t otherNodes = 0;   // outside of compiled groups
  int64_t weightBytes = 0;  // of the model's initializers
  int64_t sharedBytes = 0;  // saved because equal pieces are kept once
  int64_t timeNs = 0;
  std::vector<std::string> warnings;
};

struct ContextOutputDifference {
  std::string name;
  bool sameBits = false;
  double maximumError = 0;  // absolute; meaningful when shapes agree
  std::string problem;      // other type or shape
};

// The exported model loaded again and run beside the original.
struct ContextVerification {
  bool loads = false;
  bool sameOutputs = false;  // bit for bit
  std::string problem;       // why it does not load or run
  std::vector<ContextOutputDifference> outputs;
  int64_t compileNs = 0;  // original: from open to ready to run
  int64_t loadNs = 0;     // context model: likewise
  int64_t firstRunOriginalNs = 0, firstRunContextNs = 0;
  int64_t runOriginalNs = 0, runContextNs = 0;  // medians
};

struct ContextReport {
  std::vector<ContextGroup> groups;
  std::vector<ContextNodeReport> nodes;
  std::vector<ContextWritten> written;        // none or one
  std::vector<ContextVerification> verified;  // none or one
  std::vector<std::string> warnings;          // compatibility, recompilation
  std::string recompiledFrom;  // the context model could not be used, and this model was opened in its place
};

}  // namespace cutaway
