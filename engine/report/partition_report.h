#pragma once
// Report of the partition stage: who was asked, what they answered, which groups and copies came of it.
//
// Thread rule: immutable once published.
// Example: for (const ProviderAnswer& answer : report.nodes[i].answers) show(answer.provider, answer.verdict,
// answer.reason);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway {

enum class RefusalCause : uint8_t {
  kOperator,
  kVersion,
  kType,
  kShape,
  kRank,
  kAttribute,
  kInput,
  kOption,
  kDomain,
  kCycle,
  kTooSmall,
  kMemory,
  kCompile,
  kPolicy,
  kNotUsable,
  kOther,
  kPin,        // a pin of the user gives the node to another provider
  kBadAnswer,  // the provider's answer makes no sense: unknown or overlapping nodes, wrong borders, an exception
  kPlacement,  // shape arithmetic stays on the CPU, because moving its operands would cost more than computing there
};
const char* refusalCauseName(RefusalCause cause);  // "operator", "version", ...

enum class Verdict : uint8_t {
  kClaimed,
  kRefused,
  kAlreadyTaken,
  kGroupRejected,  // claimed in a group that may not be taken (cycle, overlap, too small)
  kCompileFailed,  // claimed, and the group did not compile
  kReleased,  // claimed, and given back by a rule of the engine (memory budget, CPU placement, a layout that was not
              // confirmed)
};
const char* verdictName(Verdict verdict);

struct ProviderAnswer {
  SharedText provider;
  Verdict verdict = Verdict::kRefused;
  RefusalCause cause = RefusalCause::kOther;  // meaningful when not claimed
  SharedText reason;                          // one sentence; never empty when not claimed
  SharedText rule{};                          // which rule said no: "operators.Resize.attributes.mode", "kernel table"
  SharedText seen{};                          // the value it saw: "mode = cubic", "opset 21", "float64"
  SharedText remedy{};                        // what would satisfy it: "mode nearest or linear", "opset 13 to 19"
};

// The user's own choice of provider for some nodes.
struct NodePin {
  enum class Kind : uint8_t {
    kNode,
    kScope,
    kOperator
  };  // by exact name, by name scope ("/encoder/layer.0"), by operator type ("Resize" or "com.microsoft:Gelu")
  Kind kind = Kind::kNode;
  std::string pattern;
  std::string provider;  // as in the list of providers
  bool operator==(const NodePin&) const = default;
};

// A node as it stood when providers were asked (before fusing): index into the optimised graphs.
struct NodePlacement {
  int32_t graph = 0;
  int32_t node = 0;
  SharedText provider;  // empty: nobody took it
  int32_t group = kNone;
  std::vector<ProviderAnswer> answers;  // in order of priority
  int64_t flops = -1;                   // multiply and add count as two; -1: shapes are open
  int64_t movedBytes = -1;              // activations read and written
  int64_t weightBytes = 0;              // constants read
};

struct GroupReport {
  std::string provider;
  std::string name;  // fused node's name, empty for nodes that run by kernel
  int32_t graph = 0;
  bool compiled = false;
  std::vector<int32_t> nodes;  // indexes in the optimised graph
  int64_t inputBytes = -1;
  int64_t outputBytes = -1;
  std::vector<std::string> inputs{};  // value names, in the fused node's order
  std::vector<std::string> outputs{};
  int64_t flops = -1;
  int64_t weightBytes = 0;
  bool simulated = false;  // the provider describes hardware that is not here; its nodes run on CPU kernels
};

struct CopyReport {
  int32_t graph = 0;
  std::string value;
  std::string from;  // device names
  std::string to;
  int64_t sizeBytes = -1;
  std::string kind;           // "copy", "cast"
  std::string cause;          // which node forced it, one sentence
  int32_t causeNode = kNone;  // index in the partitioned graph
  std::string remedy{};       // the cheapest change that removes it, one sentence; empty: none is known
};

// Refusals of one provider that share cause and rule: what would be won by removing the cause.
struct RefusalSummary {
  std::string provider;
  Verdict verdict = Verdict::kRefused;
  RefusalCause cause = RefusalCause::kOther;
  std::string rule;
  std::string reason;  // of the first node
  std::string remedy;
  std::vector<int32_t> nodes;  // indexes into PartitionReport::nodes
  int64_t flops = 0;           // of those nodes, as far as known
};

struct ProviderSummary {
  std::string name;
  std::string device;
  bool usable = true;
  std::string reason;
  int64_t claimedNodes = 0;
  int64_t refusedNodes = 0;
  int64_t askTimeNs = 0;
  int64_t compileTimeNs = 0;
  bool simulated = false;
  int64_t groups = 0;       // islands and compiled groups
  int64_t flops = 0;        // of the nodes it took, as far as known
  int64_t weightBytes = 0;  // of the nodes it took
};

struct PartitionReport {
  std::vector<ProviderSummary> providers;  // in order of priority
  std::vector<NodePlacement> nodes;
  std::vector<GroupReport> groups;
  std::vector<CopyReport> copies;
  std::vector<RefusalSummary> refusals;  // most FLOPs first, then most nodes
  std::vector<std::string> providerRewrites;
  std::vector<std::string> warnings;
  int64_t unassignedNodes = 0;
  int64_t timeNs = 0;
};

}  // namespace cutaway
