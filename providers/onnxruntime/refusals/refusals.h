#pragma once
// Why a plug-in left nodes out, read from ONNX Runtime's log: where only the log tells.
//
// Lines are known by the function that wrote them and by their text, never by their place in a file. They need a
// session at VERBOSE; with the environment at VERBOSE too, QNN's compiler adds its own words. Thread rule: pure.
// Example: for (const Refusal& refusal : readRefusals(session.log)) show(refusal.node, refusal.reason);

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

enum class RefusalCode {
  kOther,
  kOperator,   // the provider does not have it
  kOpenShape,  // a size is not known before running
  kRank,       // too many dimensions
  kType,       // an element type
  kAttribute,  // a value of an attribute
  kConstant,   // an input that must be part of the model
  kOption,     // an option of the user's says so
  kCompiler,   // the vendor's compiler checked the node and says no, without a cause that is known here
  kKernel,     // no kernel for this operator, version and type
  kFaster,     // ONNX Runtime prefers the CPU
};
// "open shape", for lists by cause.
std::string_view refusalCodeName(RefusalCode code);

struct Refusal {
  std::string node;    // its name, as the graph had it in this pass
  std::string opType;  // empty: the line does not say
  std::string unit;    // of QNN: the operator that a whole unit of Q and DQ nodes stands for; the same when it is alone
  int64_t index = -1;  // of the node in this pass's graph; -1: the line does not say
  int32_t pass = 0;    // 1 before, 2 after layout changes; 0: the log does not say
  RefusalCode code = RefusalCode::kOther;
  int32_t vendorError = 0;  // 3110 of QNN's check; 0: none
  std::string reason{};     // for people
};

// In the order of the log; a node is in it once for every time that it was refused.
std::vector<Refusal> readRefusals(std::span<const LogLine> log);

}  // namespace cutaway::onnxruntime
