#include "app/cli/feeds.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "engine/session/assumed_dims.h"
#include "engine/stages/load/tensor_file.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::cli {

namespace {

Result<execute::Feed> readFeed(const session::Session& session, const std::string& text) {
  CUTAWAY_TRY(const auto pair, splitPair(text, "--input"));
  const std::vector<execute::NamedType> inputs = session.inputs();
  const auto input = std::find_if(inputs.begin(), inputs.end(),
                                  [&](const execute::NamedType& each) { return each.name == pair.first; });
  if (input == inputs.end()) {
    std::vector<std::string> names;
    for (const execute::NamedType& each : inputs)
      names.push_back(each.name);
    return fail(ErrorCode::kInvalidArgument, "the model has no input '{}'; it has {}", pair.first,
                fmt::join(names, ", "));
  }
  CUTAWAY_TRY(load::NamedValue value, load::readTensorFile(pair.second, input->type));
  return execute::Feed{pair.first, std::move(value.value)};
}

}  // namespace

void FeedOptions::declare(CLI::App& command) {
  command.add_option("--input", m_files, "read an input from a .pb or .npy file")
      ->type_name("NAME=FILE")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  command.add_option("--random", m_seed, "seed of random inputs, where no file is given")->type_name("SEED");
}

Result<std::vector<execute::Feed>> FeedOptions::feeds(const session::Session& session,
                                                      const std::map<std::string, int64_t>& dims,
                                                      const CancelToken& cancel) const {
  const HeapLimit limit(session.memoryBudget());  // files, too
  std::vector<execute::Feed> feeds;
  for (const std::string& text : m_files) {
    CUTAWAY_TRY(execute::Feed feed, readFeed(session, text));
    feeds.push_back(std::move(feed));
  }
  Result<std::vector<execute::Feed>> random = session::randomFeeds(session, m_seed, dims, cancel, feeds);
  if (!random) return fail(atFile(std::move(random).error(), session.model().path.string()));
  std::ranges::move(*random, std::back_inserter(feeds));
  return feeds;
}

Error FeedOptions::explain(Error error, const session::Session& session,
                           const std::map<std::string, int64_t>& dims) const {
  return hasFiles() ? error : session::explainAssumedDims(std::move(error), session, dims);
}

}  // namespace cutaway::cli
