// thumbnail: a small picture of a model, as file managers ask for it.
#include <CLI/CLI.hpp>

#include "app/cli/picture.h"
#include "app/cli/stage_verb.h"
#include "ui/base/file_writing.h"
#include "ui/canvas/render.h"

namespace cutaway::cli {

namespace {

struct ThumbnailVerb {
  SharedOptions shared;
  std::string file;  // of any name: file managers give a temporary one
  int size = 256;
};

Result<void> writeThumbnail(const ThumbnailVerb& verb, const WalkReport& walk, const CancelToken& cancel) {
  const PictureApplication application;
  CUTAWAY_TRY(const QImage image, ui::renderThumbnail(walk, verb.size, cancel));
  CUTAWAY_TRY(const QByteArray bytes, ui::pngBytes(image));
  return ui::writeFileSafely(QString::fromStdString(verb.file), bytes);
}

}  // namespace

Verb verb_thumbnail() {
  return {.name = "thumbnail",
          .help = "a small picture of a model's outline, for file managers",
          .example = "cutaway-cli thumbnail model.onnx model.png --size 128",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto verb = std::make_shared<ThumbnailVerb>();
            verb->shared.declare(command);
            command.add_option("FILE", verb->file, "the picture, a PNG whatever its name")->required();
            command.add_option("--size", verb->size, "pixels of the longer side at most")
                ->check(CLI::Range(16, 1024))
                ->capture_default_str();
            return [verb] {
              return runStageVerb(
                  verb->shared, Stage::kLoad, [](const WalkReport&) {},
                  [&](session::Session& session, const CancelToken& cancel) {
                    return writeThumbnail(*verb, *session.report(), cancel);
                  });
            };
          }};
}

}  // namespace cutaway::cli
