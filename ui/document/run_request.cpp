#include "ui/document/run_request.h"

#include <algorithm>

#include "engine/session/assumed_dims.h"
#include "engine/session/model_files.h"
#include "ui/document/engine_service.h"

namespace cutaway::ui {

Result<std::vector<execute::Feed>> makeFeeds(const session::Session& session, const RunRequest& request,
                                             const std::map<std::string, int64_t>& dims, const CancelToken& cancel) {
  const HeapLimit limit(session.memoryBudget());  // files, too
  std::vector<execute::Feed> feeds;
  const std::vector<execute::NamedType> inputs = session.inputs();
  for (const auto& [name, path] : request.files) {
    const std::string wanted = name.toStdString();
    const auto input =
        std::find_if(inputs.begin(), inputs.end(), [&](const execute::NamedType& type) { return type.name == wanted; });
    if (input == inputs.end()) return fail(ErrorCode::kInvalidArgument, "the model has no input '{}'", wanted);
    Result<RuntimeValue> value = session::readValueFile(path.toStdString(), input->type);
    if (!value) return fail(atFile(value.error(), path.toStdString()));
    const auto feed =
        std::find_if(feeds.begin(), feeds.end(), [&](const execute::Feed& f) { return f.name == wanted; });
    if (feed != feeds.end()) {
      feed->value = *std::move(value);
    } else {
      feeds.push_back({wanted, *std::move(value)});
    }
  }
  CUTAWAY_TRY(std::vector<execute::Feed> random, session::randomFeeds(session, request.seed, dims, cancel, feeds));
  std::ranges::move(random, std::back_inserter(feeds));
  return feeds;
}

Result<std::shared_ptr<const WalkReport>> measuredWalk(const WorkPlace& place, const RunRequest& request,
                                                       Progress& progress) {
  if (place.cannotRun)
    return fail(Error{place.cannotRun->code, "This model cannot run here: " + place.cannotRun->message,
                      place.cannotRun->where});
  if (!place.session)
    return fail(ErrorCode::kFail, "There is nothing to run: {}",
                place.lost.empty() ? "the model did not load." : place.lost);
  progress.begin("Run", "preparing inputs");
  CUTAWAY_TRY(const std::vector<execute::Feed> feeds,
              makeFeeds(*place.session, request, place.options.dims, progress.token()));
  progress.begin(
      "Run", request.seconds > 0 ? fmt::format("for {} s", request.seconds) : fmt::format("{} times", request.runs));
  const session::BenchmarkOptions options{request.runs, request.seconds, request.warmups, request.profile};
  Result<RunReport> measured = session::measure(*place.session, feeds, options, progress.token());
  if (!measured && request.files.empty())
    return fail(session::explainAssumedDims(std::move(measured).error(), *place.session, place.options.dims));
  CUTAWAY_TRY(RunReport report, std::move(measured));
  report.seed = request.seed;
  if (report.tag.empty()) report.tag = request.tag;
  return session::withRun(*place.session->report(), std::move(report));
}

}  // namespace cutaway::ui
