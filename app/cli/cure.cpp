// cure: changes of the model that free the nodes which a provider refuses, each asked about and proved.
#include "engine/study/cure/cure.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/cli/partition_print.h"
#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"
#include "app/providers/provider_table.h"
#include "engine/base/format.h"
#include "engine/base/read_mark.h"
#include "engine/report/json.h"
#include "engine/report/json_cure.h"

namespace cutaway::cli {

namespace {

struct CureVerb {
  SharedOptions shared;
  std::string provider;
  std::string apply;  // a number or "all"
  std::string output;
  study::ErrorTolerance tolerance;
  uint64_t seed = 0;
  bool force = false;
  bool attempts = false;
  bool noCompile = false;
};

std::string shareText(const CureFigures& figures) {
  return fmt::format("{} of {}", formatCount(figures.taken), formatCount(figures.nodes));
}

std::string flopsText(const CureProposal& proposal) {
  if (proposal.before.unsizedNodes > proposal.after.unsizedNodes) return "sizes were open";
  const int64_t gained = proposal.flopsGained();
  return gained < 0 ? "-" + formatFlops(-gained) : "+" + formatFlops(gained);
}

std::string proofText(const CureProof& proof) {
  if (!proof.ran) return "not compared: " + proof.note;
  if (!proof.agrees) return fmt::format("differ: {} (max difference {:.3g})", proof.note, proof.maxAbsolute);
  if (proof.maxAbsolute == 0) return fmt::format("the same, {} values", formatCount(proof.elements));
  return fmt::format("within tolerance, max difference {:.3g} of {} values", proof.maxAbsolute,
                     formatCount(proof.elements));
}

void printProposals(const std::vector<CureProposal>& proposals) {
  TextTable table({">#", "change", "nodes before", "after", ">gained", ">FLOPs", "groups", "copies", "results"});
  for (size_t i = 0; i < proposals.size(); ++i) {
    const CureProposal& each = proposals[i];
    table.add({std::to_string(i + 1), each.title + (each.assumed ? " (size assumed)" : ""), shareText(each.before),
               shareText(each.after), formatCount(each.nodesGained()), flopsText(each),
               fmt::format("{} -> {}", each.before.groups, each.after.groups),
               fmt::format("{} -> {}", each.before.copies, each.after.copies), proofText(each.proof)});
    if (!each.consequence.empty()) table.addBelow("but " + each.consequence);
  }
  table.print(0, 96);
}

void printRefused(const std::vector<CureNode>& nodes, bool withProposals) {
  constexpr size_t kMostShown = 20;
  TextTable table(withProposals ? std::vector<std::string>{"node", "operator", "freed by", "reason"}
                                : std::vector<std::string>{"node", "operator", "reason"});
  for (const CureNode& node : nodes) {
    std::vector<std::string> cells{node.name, node.opType};
    if (withProposals) {
      std::vector<int32_t> numbers;
      for (const int32_t index : node.proposals)
        numbers.push_back(index + 1);
      cells.push_back(numbers.empty() ? "nothing found" : fmt::format("{}", fmt::join(numbers, ", ")));
    }
    cells.push_back(node.reason);
    table.add(std::move(cells));
  }
  table.print(kMostShown, 96);
}

void printAttempts(const std::vector<CureAttempt>& attempts) {
  TextTable table({"variant", "change", "outcome"});
  for (const CureAttempt& each : attempts)
    table.add({each.variant, each.title, each.outcome});
  put("\nasked in vain\n");
  table.print(0, 96);
}

void printSteps(const CureReport& report) {
  if (report.steps.size() == 1) {
    put("\n{}: {}\n", report.steps.front().title,
        report.after.left() == 0 ? "this is all that is needed" : "on top of this nothing more is gained");
  } else {
    put("\none on top of the other (--apply all): {} -> {} nodes, {} -> {} groups\n", shareText(report.before),
        shareText(report.after), report.before.groups, report.after.groups);
    printProposals(report.steps);
  }
  if (report.compiled)
    put("compiled with {}: {} nodes in {} groups\n", report.steps.size() == 1 ? "it" : "all steps",
        shareText(report.afterCompile), report.afterCompile.groups);
  if (report.stillRefused.empty()) return;
  put("\nstill left to others\n");
  printRefused(report.stillRefused, false);
}

void printReport(const CureReport& report, bool attempts) {
  put("{}{} claims {} nodes in {} groups, with {} copies\n", report.provider, report.simulated ? " (simulated)" : "",
      shareText(report.before), report.before.groups, report.before.copies);
  if (report.before.left() == 0) return put("nothing is left to others: there is nothing to cure\n");
  put("\nleft to others\n");
  printRefused(report.refused, true);
  if (report.proposals.empty()) {
    put("\nno change was found that frees a node; {} were asked about\n", report.attempts.size());
  } else {
    put("\nproposals, each by itself: the provider was asked again, and both models were run on the same inputs\n");
    printProposals(report.proposals);
    if (!report.steps.empty()) printSteps(report);
  }
  if (attempts && !report.attempts.empty()) printAttempts(report.attempts);
  put("\n{} questions and {} comparisons in {} (tolerance {:g} + {:g} |original|, inputs of seed {}){}\n",
      report.askings, report.proofs, formatTime(report.timeNs), report.absoluteTolerance, report.relativeTolerance,
      report.seed,
      attempts || report.attempts.empty()
          ? ""
          : fmt::format("; {} changes gained nothing (--attempts)", report.attempts.size()));
  for (const std::string& warning : report.warnings)
    put("warning: {}\n", warning);
}

int applyTo(const CureVerb& verb, const study::Cure& cure) {
  if (verb.force) allowWritingOverReadFiles();
  const int proposal = verb.apply == "all" ? study::kAllSteps : std::stoi(verb.apply) - 1;
  Result<void> saved = study::saveCured(cure, proposal, verb.output, verb.force);
  if (saved) {
    putError("wrote {}\n", verb.output);
    return kDone;
  }
  const bool nothing = saved.error().code == ErrorCode::kInvalidArgument && saved.error().where.file.empty();
  const int code = reportError(notWritten(saved.error()));
  return nothing ? kCheckFailed : code;
}

int run(CureVerb& verb) {
  if (const Result<void> settled = verb.shared.settle(); !settled) return usageError(settled.error());
  if (verb.apply.empty() != verb.output.empty())
    return usageError({ErrorCode::kInvalidArgument, "--apply says what to write and -o where: both are needed", {}});
  Result<session::SessionOptions> options = verb.shared.sessionOptions(Stage::kPartition, false);
  if (!options) return usageError(options.error());
  study::CureRequest request{.source = load::ModelSource::file(verb.shared.model),
                             .options = *std::move(options),
                             .provider = verb.provider,
                             .tolerance = verb.tolerance,
                             .seed = verb.seed,
                             .compile = !verb.noCompile};
  // Here --dim says which sizes a cure may fix: the question is what the file as it is lacks.
  request.sizes = std::exchange(request.options.dims, {});
  Result<study::Cure> cure;
  {
    ConsoleProgress progress;
    cure = study::findCure(request, builtProviders(), progress);
  }
  if (!cure) {
    const bool isUsage = cure.error().code == ErrorCode::kInvalidArgument && cure.error().where.file.empty() &&
                         cure.error().where.node.empty();
    return isUsage && !ConsoleProgress::interrupted() ? usageError(cure.error()) : reportError(cure.error());
  }
  if (verb.shared.json) {
    nlohmann::json json = cureToJson(cure->report);
    json["schema_version"] = kReportSchemaVersion;
    if (const Result<void> written = verb.shared.writeJson(dumpJson(json, 2)); !written)
      return reportError(written.error());
  } else {
    printReport(cure->report, verb.attempts);
  }
  return verb.apply.empty() ? kDone : applyTo(verb, *cure);
}

}  // namespace

Verb verb_cure() {
  return {
      .name = "cure",
      .help =
          "changes of the model that free the nodes which a provider refuses: the provider is asked about each, and "
          "its results are compared; --dim says which sizes open dimensions may get",
      .example =
          "cutaway-cli cure model.onnx --providers \"qnn{backend_type=htp,soc_model=69},cpu\" --dim batch=1\n"
          "  cutaway-cli cure model.onnx --providers \"declared(QNN-HTP),cpu\" --apply all -o cured.onnx",
      .declare = [](CLI::App& command) -> std::function<int()> {
        auto verb = std::make_shared<CureVerb>();
        verb->shared.declare(command);
        verb->shared.declareJson(command);
        command
            .add_option("--provider", verb->provider,
                        "whose refusals are to be cured; the first of --providers where nothing is said")
            ->type_name("NAME");
        command
            .add_option("--apply", verb->apply,
                        "write the model with proposal number N, or with all steps, to the file of -o")
            ->type_name("N|all")
            ->check([](const std::string& text) {
              const bool number = !text.empty() && text.size() < 7 &&
                                  text.find_first_not_of("0123456789") == std::string::npos && text != "0";
              return text == "all" || number ? std::string() : "a number from 1, or all";
            });
        command.add_option("-o,--output", verb->output, "the file to write")->type_name("FILE");
        command.add_flag("--force", verb->force, "replace files that exist");
        command.add_option("--rtol", verb->tolerance.relative, "relative tolerance")->capture_default_str();
        command.add_option("--atol", verb->tolerance.absolute, "absolute tolerance")->capture_default_str();
        command.add_option("--seed", verb->seed, "of the random inputs")->capture_default_str();
        command.add_flag("--no-compile", verb->noCompile, "do not compile the model with all steps at the end");
        command.add_flag("--attempts", verb->attempts, "also list the changes that gained nothing");
        return [verb] { return run(*verb); };
      }};
}

}  // namespace cutaway::cli
