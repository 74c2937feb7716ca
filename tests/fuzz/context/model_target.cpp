#include "engine/stages/load/load.h"
#include "engine/stages/load/model_bytes.h"
#include "tests/fuzz/context/context_models.h"
#include "tests/fuzz/context/mutate.h"
#include "tests/fuzz/context/targets.h"

namespace cutaway::fuzz {

void fuzzModel(Random& random) {
  std::string bytes;
  const auto written =
      load::writeModelBytes(contextModel(random), [&](std::span<const std::byte> more) -> Result<void> {
        bytes.append(reinterpret_cast<const char*>(more.data()), more.size());
        return {};
      });
  require(written.has_value(), "the model cannot be written");
  if (random.oneIn(3)) damageBytes(bytes, binarySeeds(), random);
  load::ModelSource source = load::ModelSource::memory(std::as_bytes(std::span(bytes.data(), bytes.size())), nullptr);
  source.externalFolder = contextFolder();
  Progress progress;
  auto loaded = load::load(source, {.allowMissingExternalData = random.oneIn(2)}, progress);
  if (loaded) findContexts(loaded->model, random);
}

}  // namespace cutaway::fuzz
