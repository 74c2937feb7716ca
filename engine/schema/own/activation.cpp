// Activations of com.microsoft.

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
      {"Gelu", kMicrosoft, "X:T -> Y:T", likeFirst, {}},
      {"BiasGelu", kMicrosoft, "A:T, B:T -> C:T", likeFirst, {}},
      {"FastGelu", kMicrosoft, "X:T, bias?:T -> Y:T", likeFirst, {}},
      {"QuickGelu", kMicrosoft, "X:T -> Y:T", likeFirst, {{"alpha", AttributeKind::kFloat}}},
  };
  return rows;
}

}  // namespace

OwnOperators own_activation() {
  return table();
}

}  // namespace cutaway::own
