// cutaway-cli VERB ...: the verbs come from the unit table, main only dispatches.
#include <cstdio>
#include <new>
#include <optional>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/about/about.h"
#include "app/cli/exit_code.h"
#include "app/cli/large_stack.h"
#include "app/cli/last_words.h"
#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "app/options/parse_end.h"
#include "app/program_heap/memory_end.h"
#include "app/records/record_options.h"
#include "engine/base/exception_text.h"
#include "engine/base/result.h"
#include "engine/base/short_memory.h"

namespace cutaway::cli {

#define CUTAWAY_UNIT(name) Verb verb_##name();
#include "verb_table.inc"
#undef CUTAWAY_UNIT

namespace {

std::vector<Verb> allVerbs() {
  return {
#define CUTAWAY_UNIT(name) verb_##name(),
#include "verb_table.inc"
#undef CUTAWAY_UNIT
  };
}

int run(int argc, char** argv) {
  CLI::App app("Shows every stage an inference engine puts an ONNX model through, runs it and profiles it.",
               "cutaway-cli");
  app.require_subcommand(1);
  declareAbout(app, exitMeanings());
  app.footer(exitLine(exitMeanings()));
  int exitCode = kDone;
  for (const Verb& verb : allVerbs()) {
    CLI::App* command = app.add_subcommand(verb.name, verb.help);
    command->footer("Example:\n  " + verb.example);
    command->final_callback([&exitCode, runVerb = verb.declare(*command)] { exitCode = runVerb(); });
  }
  refuseHollowValues(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return reportParseEnd(endOfParsing(app, error));
  }
  return exitCode;
}

// What comes after the stages and runs, such as tables and files, heeds short memory, too.
int runHeeding(int argc, char** argv) {
  const ShortMemoryScope memory;
  const int code = run(argc, argv);
  if (code != kDone) return code;
  const std::optional<Error> refusal = memory.refusal();
  return refusal ? reportError(*refusal) : code;
}

int runCatching(int argc, char** argv) {
  try {
    return runHeeding(argc, argv);
  } catch (const std::bad_alloc& refused) {
    putError("cutaway-cli: {}\n", describe(outOfMemory(refused)));
  } catch (const std::exception& error) {
    putError("cutaway-cli: RUNTIME_EXCEPTION: {}\n", exceptionText(error));
  }
  return kInternal;
}

}  // namespace

}  // namespace cutaway::cli

int main(int argc, char** argv) {
  using namespace cutaway::cli;
  cutaway::tellEndOfMemory({.program = "cutaway-cli", .exitCode = kInternal});
  tellLastWords("cutaway-cli");
  beginOutput();
  int code = onLargeStack(runCatching, argc, argv);
  if (const cutaway::Result<void> recorded = cutaway::finishRecords(); !recorded) code = reportError(recorded.error());
  return finishOutput("cutaway-cli", code);
}
