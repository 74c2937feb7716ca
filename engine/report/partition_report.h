#pragma once
// Report of the partition stage: who was asked, what they answered, which groups and copies came of it.
//
// Thread rule: immutable once published.
// Example: for (const ProviderAnswer& answer : report.nodes[i].answers) show(answer.provider, answer.verdict, answer.reason);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway {

enum class RefusalCause : uint8_t { kOperator, kVersion, kType, kShape, kRank, kAttribute, kInput, kOption, kDomain, kCycle, kTooSmall, kMemory, kCompile, kPolicy, kNotUsable, kOther };
const char* refusalCauseName(RefusalCause cause);  // "operator", "version", ...

enum class Verdict : uint8_t { kClaimed, kRefused, kAlreadyTaken, kGroupRejected, kCompileFailed };
const char* verdictName(Verdict verdict);

struct ProviderAnswer {
  std::string provider;
  Verdict verdict = Verdict::kRefused;
  RefusalCause cause = RefusalCause::kOther;  // meaningful when refused
  std::string reason;                          // never empty when refused
};

// A node as it stood when providers were asked (before fusing): index into the optimised graphs.
struct NodePlacement {
  int32_t graph = 0;
  int32_t node = 0;
  std::string provider;  // empty: nobody took it
  int32_t group = kNone;
  std::vector<ProviderAnswer> answers;  // in asking order
};

struct GroupReport {
  std::string provider;
  std::string name;          // fused node's name, empty for nodes that run by kernel
  int32_t graph = 0;
  bool compiled = false;
  std::vector<int32_t> nodes;  // indexes in the optimised graph
  int64_t inputBytes = -1;
  int64_t outputBytes = -1;
};

struct CopyReport {
  int32_t graph = 0;
  std::string value;
  std::string from;          // device names
  std::string to;
  int64_t sizeBytes = -1;
  std::string kind;          // "copy", "cast"
  std::string cause;         // which node forced it, one sentence
  int32_t causeNode = kNone; // index in the partitioned graph
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
};

struct PartitionReport {
  std::vector<ProviderSummary> providers;  // in asking order
  std::vector<NodePlacement> nodes;
  std::vector<GroupReport> groups;
  std::vector<CopyReport> copies;
  std::vector<std::string> providerRewrites;
  std::vector<std::string> warnings;
  int64_t unassignedNodes = 0;
  int64_t timeNs = 0;
};

}  // namespace cutaway
