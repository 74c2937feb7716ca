// profile: time per node, of runs made here or read from a trace; traces and profiles as files; two profiles compared.

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/allocation_trace_print.h"
#include "app/cli/exit_code.h"
#include "app/cli/own_profile_print.h"
#include "app/cli/profile_print.h"
#include "app/cli/roofline_print.h"
#include "app/cli/run_verb.h"
#include "app/cli/stage_verb.h"
#include "app/providers/provider_table.h"
#include "engine/base/mapped_file.h"
#include "engine/base/text_stream.h"
#include "engine/base/write_file.h"
#include "engine/profile/profiles.h"
#include "engine/report/json_run.h"
#include "engine/report/simulated_providers.h"
#include "engine/study/roofline/roofline.h"

namespace cutaway::cli {

namespace {

struct ProfileVerb {
  RunVerb verb;
  session::BenchmarkOptions options{.runs = 10, .seconds = 0, .warmups = 1, .profile = true};
  std::string trace;
  std::string save;
  std::string read;
  std::vector<std::string> compare;
  bool allocations = false;
};

Result<void> present(ProfileVerb& profile, const WalkReport& walk) {
  if (!profile.trace.empty()) {
    TextStream trace;
    profile::writeChromeTrace(walk, trace);
    CUTAWAY_CHECK(writeFile(profile.trace, trace.view()));
  }
  if (!profile.save.empty()) CUTAWAY_CHECK(writeFile(profile.save, profile::saveProfile(walk)));
  if (profile.verb.shared.json) {
    nlohmann::json json = walkToJson(walk, {});
    if (walk.run && walk.run->source.empty()) {
      json["simulated_providers"] = simulatedProviders(walk);
      json["own_profiles"] = ownProfilesToJson(ownProfilesOf(walk));
      if (profile.allocations) json["allocation_trace"] = allocationTraceToJson(walk, study::allocationTrace(walk));
      json["roofline"] = rooflineToJson(walk, study::rooflineOf(walk, builtProviders()));
    }
    return profile.verb.shared.writeJson(dumpJson(json, 2));
  }
  printProfile(walk);
  if (walk.run && walk.run->source.empty()) {
    printRoofline(walk, study::rooflineOf(walk, builtProviders()));
    printOwnProfiles(ownProfilesOf(walk));
    if (profile.allocations) printAllocationTrace(walk, study::allocationTrace(walk));
  }
  return {};
}

std::string_view textOf(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

// The walk that traces are laid on.
Result<std::shared_ptr<const WalkReport>> look(ProfileVerb& profile, ConsoleProgress& progress) {
  CUTAWAY_CHECK(profile.verb.shared.settle());
  CUTAWAY_TRY(const std::unique_ptr<session::Session> session,
              profile.verb.shared.openSession(Stage::kPattern, false, progress));
  return session->report();
}

Result<void> readAndPresent(ProfileVerb& profile, ConsoleProgress& progress) {
  CUTAWAY_TRY(const auto file, MappedFile::open(profile.read));
  CUTAWAY_TRY(const auto walk, look(profile, progress));
  CUTAWAY_TRY(RunReport run, profile::readTrace(textOf(*file), profile.read, *walk));
  return present(profile, *session::withRun(*walk, std::move(run)));
}

// A saved profile, or a trace laid on MODEL.
Result<profile::SavedProfile> openProfile(const std::string& path, ProfileVerb& profile,
                                          std::shared_ptr<const WalkReport>& walk, ConsoleProgress& progress) {
  CUTAWAY_TRY(const auto file, MappedFile::open(path));
  auto saved = profile::readProfile(textOf(*file), path);
  if (saved) return saved;
  if (profile.verb.shared.model.empty()) {
    Error error = std::move(saved).error();
    error.message += "; for a trace, name the MODEL too";
    return fail(std::move(error));
  }
  if (walk == nullptr) {
    CUTAWAY_TRY(walk, look(profile, progress));
  }
  CUTAWAY_TRY(RunReport run, profile::readTrace(textOf(*file), path, *walk));
  return profile::SavedProfile{.model = walk->load ? walk->load->path : std::string(),
                               .run = std::move(run),
                               .graphs = *walk->partitionedGraphs};
}

Result<void> compareAndPresent(ProfileVerb& profile, ConsoleProgress& progress) {
  SharedOptions& shared = profile.verb.shared;
  (void)shared.settle();  // without MODEL is fine as long as no trace is among them
  std::shared_ptr<const WalkReport> walk;
  CUTAWAY_TRY(const profile::SavedProfile a, openProfile(profile.compare[0], profile, walk, progress));
  CUTAWAY_TRY(const profile::SavedProfile b, openProfile(profile.compare[1], profile, walk, progress));
  RunComparison comparison = profile::compareRuns(a.run, a.graphs, b.run, b.graphs);
  profile::leaveSimulatedOut(comparison, a, b);
  const bool isSimulated = !a.simulated.empty() || !b.simulated.empty();
  // No model was needed: what stands behind --json is the file to write.
  if (walk == nullptr && shared.json && shared.jsonFile.empty()) std::swap(shared.model, shared.jsonFile);
  if (shared.json)
    return shared.writeJson(dumpJson({{"schema_version", kReportSchemaVersion},
                                      {"comparison", toJson(comparison)},
                                      {"simulated_providers", {{"a", a.simulated}, {"b", b.simulated}}}},
                                     2));
  printComparison(comparison, isSimulated);
  return {};
}

int runProfile(ProfileVerb& profile) {
  ConsoleProgress progress;
  if (!profile.compare.empty() || !profile.read.empty()) {
    const Result<void> done =
        profile.compare.empty() ? readAndPresent(profile, progress) : compareAndPresent(profile, progress);
    if (done) return kDone;
    return done.error().code == ErrorCode::kInvalidArgument ? usageError(done.error()) : reportError(done.error());
  }
  return profile.verb.run([&](session::Session& session, const std::vector<execute::Feed>& feeds,
                              const ConsoleProgress& running) -> Result<void> {
    CUTAWAY_TRY(RunReport report, session::measure(session, feeds, profile.options, running.token()));
    report.tag = profile.verb.tag;
    return present(profile, *session::withRun(*session.report(), std::move(report)));
  });
}

}  // namespace

Verb verb_profile() {
  return {.name = "profile",
          .help = "time per node and operator; writes and reads Chrome traces, saves and compares profiles",
          .example =
              "cutaway-cli profile model.onnx --runs 20 --trace trace.json --save before.json\n"
              "  cutaway-cli profile --compare before.json after.json\n"
              "  cutaway-cli profile model.onnx --read onnxruntime_profile.json",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto profile = std::make_shared<ProfileVerb>();
            profile->verb.declare(command);
            profile->verb.shared.declareJson(command);
            command.add_option("--runs", profile->options.runs, "profiled runs")
                ->check(CLI::PositiveNumber)
                ->capture_default_str();
            command.add_option("--warmup", profile->options.warmups, "runs before profiling")
                ->check(CLI::NonNegativeNumber)
                ->capture_default_str();
            command.add_flag("--allocations", profile->allocations,
                             "what the run asked memory for, value by value, and the memory of three ways to serve it");
            command.add_option("--trace", profile->trace, "write a Chrome trace here")->type_name("FILE");
            command.add_option("--save", profile->save, "save the profile here, for --compare")->type_name("FILE");
            CLI::Option* read =
                command
                    .add_option("--read", profile->read,
                                "show on MODEL, instead of running it, a trace of onnxruntime or Cutaway, or "
                                "layer times that a device tool wrote: QNN's CSV, trtexec's "
                                "--exportProfile, OpenVINO's counters")
                    ->type_name("TRACE");
            command
                .add_option("--compare", profile->compare,
                            "two saved profiles, or traces where MODEL is given: which nodes changed significantly")
                ->type_name("A B")
                ->expected(2)
                ->excludes(read);
            return [profile] { return runProfile(*profile); };
          }};
}

}  // namespace cutaway::cli
