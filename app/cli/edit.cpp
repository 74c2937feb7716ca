// edit: a model with some things changed, as another file.
#include <filesystem>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/console_progress.h"
#include "app/cli/edit_options.h"
#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"
#include "app/providers/provider_table.h"
#include "engine/base/format.h"
#include "engine/base/read_mark.h"
#include "engine/base/write_file.h"
#include "engine/report/json.h"
#include "engine/stages/load/save.h"

namespace cutaway::cli {

namespace {

struct EditVerb {
  std::string model;
  std::string output;
  std::string editsFile;
  bool force = false;
  EditOptions edits;
};

// What resolving says of the edited model; nothing: it is sound.
std::optional<Error> problemOf(const Model& model) {
  session::SessionOptions options;
  options.lastStage = Stage::kResolve;
  options.prepareRun = false;
  Progress progress;
  const auto session = session::Session::create(load::ModelSource::loaded(std::make_shared<const Model>(model)),
                                                options, builtProviders(), progress);
  return session ? std::nullopt : std::optional(session.error());
}

Result<void> writeEdits(const std::string& file, const std::vector<edit::ModelEdit>& edits, bool force) {
  return writeFile(file, edit::editsToJson(edits) + '\n', {.overwrite = force});
}

int runEdit(const EditVerb& verb) {
  if (verb.force) allowWritingOverReadFiles();
  ConsoleProgress progress;
  const Result<load::LoadResult> loaded = load::load(load::ModelSource::file(verb.model), {}, progress);
  if (!loaded) return reportError(loaded.error());
  const Result<std::vector<edit::ModelEdit>> edits = verb.edits.edits(loaded->model);
  if (!edits) return usageError(Error{edits.error().code, describe(edits.error()), {}});
  const Result<Model> edited = edit::applyEdits(loaded->model, *edits);
  if (!edited) return reportError(atFile(edited.error(), verb.model));
  if (!verb.editsFile.empty()) {
    if (const Result<void> written = writeEdits(verb.editsFile, *edits, verb.force); !written)
      return reportError(notWritten(written.error()));
  }
  if (const Result<void> saved = load::save(*edited, verb.output, load::saveOptionsLike(*edited, verb.force)); !saved)
    return reportError(notWritten(saved.error()));
  TextTable table({">", "edit"});
  for (size_t i = 0; i < edits->size(); ++i)
    table.add({std::to_string(i + 1), describe((*edits)[i], loaded->model)});
  table.print();
  put("{}: {} of {} nodes\n", verb.output, formatCount(static_cast<int64_t>(edited->graph.nodeCount())),
      formatCount(static_cast<int64_t>(loaded->model.graph.nodeCount())));
  const std::optional<Error> problem = problemOf(*edited);
  if (!problem) return kDone;
  putError("cutaway-cli: written, but the edited model does not resolve: {}\n", describe(*problem));
  return kCheckFailed;
}

}  // namespace

Verb verb_edit() {
  return {.name = "edit",
          .help =
              "a model with names, types, shapes, nodes, attributes or metadata changed, as another file; edits are "
              "done in the order they are given",
          .example =
              "cutaway-cli edit model.onnx -o fixed.onnx --set-dim batch=1 --rename-value input.1=image --bypass "
              "/dropout/Dropout\n"
              "  cutaway-cli edit model.onnx -o part.onnx --extract-inputs conv1_out --extract-outputs relu3_out "
              "--set-metadata author=me",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto verb = std::make_shared<EditVerb>();
            command.add_option("MODEL", verb->model, "the model file (.onnx, .ort, .textproto)")->required();
            command.add_option("-o,--output", verb->output, "the file to write")->type_name("FILE")->required();
            command.add_flag("--force", verb->force, "replace files that exist");
            command
                .add_option("--save-edits", verb->editsFile, "the list of edits as JSON, for --edits and the window")
                ->type_name("FILE");
            verb->edits.declare(command);
            return [verb]() -> int {
              if (!verb->edits.any())
                return usageError(
                    {ErrorCode::kInvalidArgument, "edit needs at least one edit, such as --set-dim batch=1", {}});
              return runEdit(*verb);
            };
          }};
}

}  // namespace cutaway::cli
