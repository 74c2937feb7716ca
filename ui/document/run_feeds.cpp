#include "ui/document/run_feeds.h"

#include <algorithm>

namespace cutaway::ui {

Result<std::vector<Feed>> makeFeeds(const Session& session, const RunRequest& request, const EngineHost& host,
                                    const std::map<std::string, int64_t>& dims) {
  CUTAWAY_TRY(std::vector<Feed> feeds, randomFeeds(session, request.seed, dims));
  const std::vector<NamedType> inputs = session.inputs();
  for (const auto& [name, path] : request.files) {
    const std::string wanted = name.toStdString();
    const auto input =
        std::find_if(inputs.begin(), inputs.end(), [&](const NamedType& type) { return type.name == wanted; });
    if (input == inputs.end()) return fail(ErrorCode::kInvalidArgument, "the model has no input '{}'", wanted);
    Result<RuntimeValue> value = host.readTensorFile(path.toStdString(), input->type);
    if (!value) return fail(atFile(value.error(), path.toStdString()));
    const auto feed = std::find_if(feeds.begin(), feeds.end(), [&](const Feed& f) { return f.name == wanted; });
    if (feed != feeds.end()) {
      feed->value = *std::move(value);
    } else {
      feeds.push_back({wanted, *std::move(value)});
    }
  }
  return feeds;
}

}  // namespace cutaway::ui
