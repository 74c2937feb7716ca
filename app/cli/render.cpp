// render: the graph as a picture.
#include "ui/canvas/render.h"

#include <algorithm>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/ranges.h>

#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/run_verb.h"
#include "app/cli/stage_verb.h"

namespace cutaway::cli {

namespace {

struct RenderVerb {
  RunVerb run;
  std::string file;
  std::string overlay = "provider";
  bool dark = false;
  bool fold = false;
  std::string grouping = "automatic";
  std::string layout = "own";
  bool right = false;
  bool attributes = false;
  bool weights = false;
  double scale = 1;
};

Result<void> writePicture(const RenderVerb& verb, const WalkReport& walk, const CancelToken& cancel) {
  const PictureApplication application;
  ui::RenderOptions options;
  options.overlay = verb.overlay;
  options.dark = verb.dark;
  options.foldScopes = verb.fold;
  options.scale = verb.scale;
  options.grouping = ui::groupingFromId(verb.grouping).value_or(ui::Grouping::kAutomatic);
  options.direction = verb.right ? ui::FlowDirection::kRight : ui::FlowDirection::kDown;
  options.contents = {.attributes = verb.attributes, .weights = verb.weights};
  options.layout = verb.layout == "dot" ? ui::LayoutEngine::kDot : ui::LayoutEngine::kOwn;
  QString note;
  CUTAWAY_CHECK(ui::renderToFile(walk, options, QString::fromStdString(verb.file), cancel, &note));
  if (!note.isEmpty()) putError("note: {}\n", note.toStdString());
  putError("wrote {}\n", verb.file);
  return {};
}

std::vector<std::string> overlayIds() {
  std::vector<std::string> ids;
  for (const ui::OverlayDescriptor* overlay : ui::overlayTable())
    ids.emplace_back(overlay->id);
  return ids;
}

// Asks for the overlays when it is asked itself: --plugin may bring some.
struct OverlayCheck : CLI::Validator {
  OverlayCheck() {
    desc_function_ = [] { return fmt::format("{{{}}}", fmt::join(overlayIds(), ",")); };
    func_ = [](std::string& id) {
      const std::vector<std::string> ids = overlayIds();
      return std::ranges::find(ids, id) != ids.end()
                 ? std::string()
                 : fmt::format("there is no overlay '{}'; there are {}", id, fmt::join(ids, ", "));
    };
  }
};

std::vector<std::string> groupingIds() {
  std::vector<std::string> ids;
  for (int i = 0; i < ui::kGroupingCount; ++i)
    ids.emplace_back(ui::groupingId(static_cast<ui::Grouping>(i)));
  return ids;
}

int render(RenderVerb& verb) {
  const std::string ending = std::filesystem::path(verb.file).extension().string();
  if (ending != ".svg" && ending != ".png" && ending != ".dot" && ending != ".gv")
    return usageError({ErrorCode::kInvalidArgument,
                       fmt::format("-o {}: pictures end in .svg or .png, files for Graphviz in .dot or .gv", verb.file),
                       {}});
  if (verb.overlay == "time") {
    // Times exist only after running.
    return verb.run.run([&](session::Session& session, const std::vector<execute::Feed>& feeds,
                            const ConsoleProgress& progress) -> Result<void> {
      CUTAWAY_TRY(
          RunReport report,
          session::measure(session, feeds, {.runs = 5, .seconds = 0, .warmups = 1, .profile = true}, progress.token()));
      return writePicture(verb, *session::withRun(*session.report(), std::move(report)), progress.token());
    });
  }
  return runStageVerb(
      verb.run.shared, Stage::kPattern, [](const WalkReport&) {},
      [&](session::Session& session, const CancelToken& cancel) {
        return writePicture(verb, *session.report(), cancel);
      });
}

}  // namespace

Verb verb_render() {
  return {.name = "render",
          .help = "a picture of the graph, .svg or .png, or a .dot file for Graphviz",
          .example = "cutaway-cli render model.onnx -o model.svg --overlay time",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto verb = std::make_shared<RenderVerb>();
            verb->run.declare(command);
            command.add_option("-o,--output", verb->file, "the picture, .svg or .png; or .dot, .gv")
                ->required()
                ->type_name("FILE");
            command.add_option("--overlay", verb->overlay, "what colours mean")
                ->check(OverlayCheck())
                ->capture_default_str();
            command.add_flag("--dark", verb->dark, "dark colours");
            command.add_flag("--fold", verb->fold, "fold groups");
            command.add_option("--group", verb->grouping, "what groups are made by")
                ->check(CLI::IsMember(groupingIds()))
                ->capture_default_str();
            command
                .add_option("--layout", verb->layout,
                            "who places the nodes: \"own\", or \"dot\" of Graphviz for fewer than 2,000 of them")
                ->check(CLI::IsMember({"own", "dot"}))
                ->capture_default_str();
            command.add_flag("--right", verb->right, "from left to right instead of downwards");
            command.add_flag("--attributes", verb->attributes, "attributes on the cards");
            command.add_flag("--weights", verb->weights, "weights with shapes and first values on the cards");
            command.add_option("--scale", verb->scale, "pixels per unit of a .png")
                ->check(CLI::Range(0.05, 8.0))
                ->capture_default_str();
            return [verb] { return render(*verb); };
          }};
}

}  // namespace cutaway::cli
