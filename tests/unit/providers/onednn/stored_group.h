#pragma once
// A group compiled, exported to bytes of the test's own, restored, and run; all without a session.
//
// Thread rule: one test. Example: StoredGroup stored = exportOf(text, {});  auto kernel = stored.restore();
// QCOMPARE(*runKernel(**kernel, inputs), *runKernel(*stored.compiled, inputs));

#include <memory>
#include <string>
#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway {

struct StoredGroup {
  std::unique_ptr<ExecutionProvider> provider;
  std::shared_ptr<const Kernel> compiled;
  context_binary::ContextPartition partition;       // its bytes are those below
  std::vector<std::shared_ptr<std::string>> bytes;  // by section

  // Points the partition at the bytes and restores. Aligned: as in a mapped file.
  Result<std::shared_ptr<const Kernel>> restore(ExecutionProvider* other = nullptr);
  std::string& section(std::string_view name);
  int64_t sizeBytes() const;
};

// The whole model is one group. The text must be good.
StoredGroup exportOf(const std::string& text, const ProviderOptions& options);

using Outputs = std::vector<std::vector<std::byte>>;
// Inputs: seeded floats of the kernel's first input.
Result<Outputs> runKernel(const Kernel& kernel, const context_binary::ContextPartition& ports,
                          const std::vector<int64_t>& dims);

}  // namespace cutaway
