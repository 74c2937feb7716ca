#include "ui/sweep/sweep_snapshot.h"

#include "sweep/results/sweep_folder.h"

namespace cutaway::ui {
namespace {

Result<void> compare(SweepSnapshot& snapshot, sweep::Store& store) {
  SweepRequest& request = snapshot.request;
  const bool isOther = !request.baselineFile.empty();
  if (!isOther && request.baselineProgram.empty()) return {};
  CUTAWAY_TRY(sweep::Store baseline,
              sweep::Store::open(isOther ? request.baselineFile : request.file, sweep::Database::Mode::kRead));
  if (request.baselineProgram.empty()) {
    CUTAWAY_TRY(const std::vector<std::string> programs, baseline.programs());
    if (programs.empty())
      return fail(ErrorCode::kNoSuchFile, "'{}' has no results to compare with", request.baselineFile.string());
    request.baselineProgram = programs.back();
  }
  CUTAWAY_TRY(snapshot.before, baseline.cells(request.baselineProgram));
  CUTAWAY_TRY(snapshot.comparison, sweep::compareSweeps(snapshot.before, snapshot.cells, snapshot.matrix,
                                                        [&](bool isBaseline, const std::string& key) {
                                                          return (isBaseline ? baseline : store).placements(key);
                                                        },
                                                        {}));
  return {};
}

}  // namespace

Result<SweepPart> readSweep(const SweepRequest& request) {
  auto snapshot = std::make_shared<SweepSnapshot>();
  snapshot->request = request;
  CUTAWAY_TRY(sweep::Store store, sweep::Store::open(request.file, sweep::Database::Mode::kRead));
  CUTAWAY_TRY(snapshot->programs, store.programs());
  if (snapshot->programs.empty())
    return fail(ErrorCode::kNoSuchFile, "'{}' has no results yet: `cutaway-cli sweep run` brings them",
                request.file.string());
  if (request.program.empty()) snapshot->request.program = snapshot->programs.back();
  CUTAWAY_TRY(snapshot->cells, store.cells(snapshot->request.program));
  snapshot->matrix = sweep::matrixOf(snapshot->cells);
  CUTAWAY_CHECK(compare(*snapshot, store));
  return SweepPart(std::move(snapshot));
}

std::filesystem::path resultsFile(const std::filesystem::path& named) {
  if (named.extension() == ".toml") return sweep::SweepFolder::of(named).database();
  if (named.extension() == ".sweep") return sweep::SweepFolder(named).database();
  return named;
}

bool isSweepFile(const std::filesystem::path& named) {
  const std::filesystem::path ending = named.extension();
  return ending == ".toml" || ending == ".sweep" || ending == ".sqlite";
}

}  // namespace cutaway::ui
