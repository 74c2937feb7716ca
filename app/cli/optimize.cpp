// optimize: what every pass rewrote; --save writes the rewritten model.
#include <CLI/CLI.hpp>

#include "app/cli/output.h"
#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"
#include "engine/stages/load/save.h"

namespace cutaway::cli {

namespace {

void printPasses(const OptimizeReport& report) {
  put("level {}: {} -> {} nodes in {}\n\n", report.level, formatCount(report.nodesBefore),
      formatCount(report.nodesAfter), formatTime(report.timeNs));
  const TableOf<PassReport> table(
      {{"pass", &PassReport::name},
       {">level", [](const PassReport& pass) { return fmt::format("{}", pass.level); }},
       {">rewrites", [](const PassReport& pass) { return pass.skipped ? "skipped" : formatCount(pass.rewrites); }},
       {">nodes", [](const PassReport& pass) { return fmt::format("{} -> {}", pass.nodesBefore, pass.nodesAfter); }},
       {">time", written(&PassReport::timeNs, formatTime)},
       {"purpose", &PassReport::purpose}},
      report.passes);
  table.print();
  for (const std::string& warning : report.warnings)
    put("warning: {}\n", warning);
}

void printRewrites(const OptimizeReport& report, size_t most) {
  if (report.rewrites.empty()) return;
  const auto joined = [](std::vector<std::string> RewriteReport::* which) {
    return [=](const RewriteReport& rewrite) { return fmt::format("{}", fmt::join(rewrite.*which, ", ")); };
  };
  const TableOf<RewriteReport> table({{"pass", &RewriteReport::pass},
                                      {"removed", joined(&RewriteReport::removed)},
                                      {"added", joined(&RewriteReport::added)},
                                      {"why", &RewriteReport::note}},
                                     report.rewrites);
  put("\nrewrites\n");
  table.print(most, 60);
}

}  // namespace

Verb verb_optimize() {
  return {.name = "optimize",
          .help = "what every pass rewrote; --save FILE writes the rewritten model",
          .example = "cutaway-cli optimize model.onnx --opt-level 2 --save smaller.onnx",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto shared = std::make_shared<SharedOptions>();
            auto file = std::make_shared<std::string>();
            auto all = std::make_shared<bool>(false);
            shared->declare(command);
            shared->declareJson(command);
            command.add_option("--save", *file, "write the optimised model here")->type_name("FILE");
            command.add_flag("--all", *all, "every rewrite, not the first 40");
            return [shared, file, all] {
              return runStageVerb(
                  *shared, Stage::kOptimize,
                  [&](const WalkReport& walk) {
                    printPasses(*walk.optimize);
                    printRewrites(*walk.optimize, *all ? 0 : 40);
                  },
                  [&](session::Session& session, const CancelToken&) -> Result<void> {
                    if (file->empty()) return {};
                    CUTAWAY_CHECK(load::save(session.model(), *file, {}));
                    putError("wrote {}\n", *file);
                    return {};
                  });
            };
          }};
}

}  // namespace cutaway::cli
