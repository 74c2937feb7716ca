// report: one self-contained HTML file.
#include <CLI/CLI.hpp>

#include "app/cli/formulas.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/run_verb.h"
#include "app/cli/stage_verb.h"
#include "engine/base/mapped_file.h"
#include "engine/base/write_file.h"
#include "engine/profile/profiles.h"
#include "ui/report/report_page.h"

namespace cutaway::cli {

namespace {

struct ReportVerb {
  RunVerb run;
  std::string file;
  int runs = 0;
  std::string read;  // a trace whose run is shown
};

Result<void> writeReport(const ReportVerb& verb, const WalkReport& walk, const CancelToken& cancel) {
  const PictureApplication application;
  const Result<std::optional<study::ModelFormulas>> formulas = formulasOf(walk, verb.run.shared, cancel);
  if (!formulas) CUTAWAY_CHECK(warnOfFormulas(formulas.error()));
  CUTAWAY_TRY(const std::string page, ui::htmlReport(walk, cancel, formulas && *formulas ? &**formulas : nullptr));
  CUTAWAY_CHECK(writeFile(verb.file, page));
  putError("wrote {}\n", verb.file);
  return {};
}

// The walk, with the run that a trace tells of.
Result<void> writeRead(const ReportVerb& verb, const WalkReport& walk, const CancelToken& cancel) {
  if (verb.read.empty()) return writeReport(verb, walk, cancel);
  CUTAWAY_TRY(const auto file, MappedFile::open(verb.read));
  const std::string_view text(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
  CUTAWAY_TRY(RunReport run, profile::readTrace(text, verb.read, walk));
  return writeReport(verb, *session::withRun(walk, std::move(run)), cancel);
}

int report(ReportVerb& verb) {
  if (verb.runs == 0)
    return runStageVerb(
        verb.run.shared, Stage::kPattern, [](const WalkReport&) {},
        [&](session::Session& session, const CancelToken& cancel) {
          return writeRead(verb, *session.report(), cancel);
        });
  return verb.run.run([&](session::Session& session, const std::vector<execute::Feed>& feeds,
                          const ConsoleProgress& progress) -> Result<void> {
    CUTAWAY_TRY(RunReport measured,
                session::measure(session, feeds, {.runs = verb.runs, .seconds = 0, .warmups = 1, .profile = true},
                                 progress.token()));
    return writeReport(verb, *session::withRun(*session.report(), std::move(measured)), progress.token());
  });
}

}  // namespace

Verb verb_report() {
  return {.name = "report",
          .help = "one self-contained HTML report of all stages; reading it needs no network",
          .example = "cutaway-cli report model.onnx -o model.html --runs 10",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto verb = std::make_shared<ReportVerb>();
            verb->run.declare(command);
            command.add_option("-o,--output", verb->file, "the page")->required()->type_name("FILE.html");
            CLI::Option* runs = command.add_option("--runs", verb->runs, "profile this many runs too")
                                    ->check(CLI::NonNegativeNumber)
                                    ->capture_default_str();
            command
                .add_option("--read", verb->read,
                            "show the run of this trace of onnxruntime or Cutaway, and run nothing")
                ->type_name("TRACE")
                ->excludes(runs);
            return [verb] { return report(*verb); };
          }};
}

}  // namespace cutaway::cli
