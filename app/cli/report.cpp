// report: one self-contained HTML file.
#include <CLI/CLI.hpp>

#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/run_verb.h"
#include "app/cli/stage_verb.h"
#include "engine/base/write_file.h"
#include "ui/report/report_page.h"

namespace cutaway::cli {

namespace {

struct ReportVerb {
  RunVerb run;
  std::string file;
  int runs = 0;
};

Result<void> writeReport(const ReportVerb& verb, const WalkReport& walk, const CancelToken& cancel) {
  const PictureApplication application;
  CUTAWAY_TRY(const std::string page, ui::htmlReport(walk, cancel));
  CUTAWAY_CHECK(writeFile(verb.file, page));
  putError("wrote {}\n", verb.file);
  return {};
}

int report(ReportVerb& verb) {
  if (verb.runs == 0)
    return runStageVerb(
        verb.run.shared, Stage::kPattern, [](const WalkReport&) {},
        [&](session::Session& session, const CancelToken& cancel) {
          return writeReport(verb, *session.report(), cancel);
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
            command.add_option("--runs", verb->runs, "profile this many runs too")
                ->check(CLI::NonNegativeNumber)
                ->capture_default_str();
            return [verb] { return report(*verb); };
          }};
}

}  // namespace cutaway::cli
