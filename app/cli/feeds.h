#pragma once
// Inputs of a run: from files (--input NAME=FILE) or from a seed (--random SEED).
//
// Thread rule: the main thread. Example: auto feedOptions = std::make_shared<FeedOptions>();
// feedOptions->declare(command);

#include "app/cli/shared_options.h"

namespace cutaway::cli {

class FeedOptions {
 public:
  void declare(CLI::App& command);
  // Files where given, seeded values for the other required inputs (seed 0 unless --random says otherwise, so that
  // every verb runs without options). NO_SUCHFILE, INVALID_ARGUMENT naming the input.
  Result<std::vector<execute::Feed>> feeds(const session::Session& session, const std::map<std::string, int64_t>& dims,
                                           const CancelToken& cancel) const;
  // Of a run with those feeds: where inputs were made up, the error says what was assumed for their sizes.
  Error explain(Error error, const session::Session& session, const std::map<std::string, int64_t>& dims) const;
  bool hasFiles() const { return !m_files.empty(); }
  uint64_t seed() const { return m_seed; }

 private:
  std::vector<std::string> m_files;
  uint64_t m_seed = 0;
};

}  // namespace cutaway::cli
