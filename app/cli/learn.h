#pragma once
// providers --learn: a support profile from what a provider answers.
//
// Thread rule: the main thread. Example: if (!order.provider.empty()) return learn(order, shared);

#include <string>
#include <vector>

namespace cutaway::cli {

struct LearnOrder {
  std::string provider;                // as --providers takes it: "qnn{backend_type=htp,soc_model=69}"
  std::string file;                    // that is written; empty: NAME.json in this folder
  std::string name;                    // of the profile; empty: the provider's with "-learned"
  std::vector<std::string> operators;  // empty: all
  double mostSeconds = 600;
};
// The exit code.
int learn(const LearnOrder& order);

}  // namespace cutaway::cli
