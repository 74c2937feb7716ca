#pragma once
// Which operators test cases use: what the operator table says they are tested by.
//
// Thread rule: pure. Example: CaseOperators cases(folders);  cases.of("", "Conv", 11, 21).size();

#include <map>
#include <string>
#include <vector>

namespace cutaway::cli {

class CaseOperators {
 public:
  // Reads the model of every case below the folders; cases that do not load are left out.
  explicit CaseOperators(const std::vector<std::string>& folders);

  // Names of the cases with a node of this operator whose schema's version is in [first, last] (last 0: no end),
  // sorted.
  std::vector<std::string> of(const std::string& domain, const std::string& opType, int32_t first, int32_t last) const;

 private:
  std::map<std::pair<std::string, std::string>, std::map<std::string, int64_t>>
      m_uses;  // (domain, operator) -> case -> opset of the domain
};

}  // namespace cutaway::cli
