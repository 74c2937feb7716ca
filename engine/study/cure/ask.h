#pragma once
// One question to a provider: which nodes of this model do you take?
//
// Thread rule: one thread. Example: CUTAWAY_TRY(Answer answer, ask(model, question, progress));

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/report/cure_report.h"
#include "engine/session/session.h"

namespace cutaway::study {

struct Question {
  const session::SessionOptions& options;
  const ProviderTable& table;
  std::string provider;  // empty: the first of the list
  bool compile = false;  // groups are compiled, too; what does not compile is left
};

// A node that the provider leaves to others.
struct LeftNode {
  std::string name;
  std::string opType;
  RefusalCause cause = RefusalCause::kOther;
  std::string reason;
  std::vector<OriginId> origins;
  bool rewritten = false;  // a pass made it: its origins are what it was made of
  bool inMain = true;      // of the main graph
};

struct Answer {
  std::string provider;
  bool simulated = false;
  CureFigures figures;
  std::vector<LeftNode> left;
  // Every original node of which something is left.
  std::set<size_t> leftOrigins() const;
};

// The model is optimised as the options say first. INVALID_ARGUMENT: the list has no such provider or only the one that
// takes the rest; the session's error where the model does not get that far; MODEL_LOAD_CANCELED.
Result<Answer> ask(const std::shared_ptr<const Model>& model, const Question& question, const Progress& progress);

}  // namespace cutaway::study
