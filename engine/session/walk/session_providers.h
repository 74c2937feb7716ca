#pragma once
// The providers of a session, made from the user's list.
//
// Thread rule: pure, apart from what a provider's create does.
// Example: CUTAWAY_TRY(auto providers, createProviders(options, table));   // order of priority, cpu last

#include <memory>
#include <vector>

#include "engine/provider/execution_provider.h"
#include "engine/session/session.h"

namespace cutaway::session {

// Order of priority, but the provider that takes the rest stands last in any case; who is named behind it is asked
// after it (choice/list_notes.h). A list that says auto is taken as if nothing was measured: whoever has a model in
// hand settles it before (choice/auto_choice.h). INVALID_ARGUMENT: unknown provider or option, one provider twice;
// EP_FAIL: not usable here, with what to do about it.
Result<std::vector<std::unique_ptr<ExecutionProvider>>> createProviders(const SessionOptions& options,
                                                                        const ProviderTable& table);

// Providers of a walk that is not kept. A call that was given up may still use them: they go when it has ended.
struct HeldProviders {
  std::vector<std::unique_ptr<ExecutionProvider>> providers;
  HeldProviders() = default;
  HeldProviders(const HeldProviders&) = delete;
  HeldProviders& operator=(const HeldProviders&) = delete;
  ~HeldProviders();
};

}  // namespace cutaway::session
