#pragma once
// Sessions over models written in the text notation; every plan that comes of it is judged by the plan checker.
//
// Thread rule: as Session. Example: auto session = textSession(kText, {});  QVERIFY2(session, why(session));

#include <memory>

#include "engine/session/session.h"

namespace cutaway {

// The model is written to a file of its own and loaded from there, as a user's would be.
Result<std::unique_ptr<session::Session>> textSession(std::string_view text,
                                                      const session::SessionOptions& options = {},
                                                      const session::WalkListener& listener = {},
                                                      const ProviderTable* table = nullptr, Progress progress = {});
// What the plan checker says about the model's plans; empty when they are good.
std::string planViolations(std::string_view text, const session::SessionOptions& options = {},
                           const ProviderTable* table = nullptr);

ProviderTable cpuTable();
execute::Feed floatFeed(std::string name, std::initializer_list<int64_t> dims, std::vector<float> values);
std::vector<float> floatsOf(const RuntimeValue& value);

template <typename T>
std::string why(const Result<T>& result) {
  return result ? std::string() : describe(result.error());
}

}  // namespace cutaway
