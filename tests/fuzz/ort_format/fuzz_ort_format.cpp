// Damaged .ort models (see ../README.md): an answer, never a crash, and what loads can be resolved, optimised and
// written.

#include <cstring>
#include <memory>

#include "engine/base/log.h"
#include "engine/stages/load/load.h"
#include "engine/stages/load/model_bytes.h"
#include "engine/stages/resolve/resolve.h"
#include "tests/fuzz/context/mutate.h"

namespace cutaway::fuzz {
namespace {

std::vector<std::string>& seeds() {
  static std::vector<std::string> all;
  return all;
}

// Words of four bytes at extremes: offsets, counts and kinds are such words.
void damageWords(std::string& bytes, Random& random) {
  for (size_t i = 1 + random.below(3); i-- > 0 && bytes.size() >= sizeof(uint32_t);) {
    const size_t at = random.below(bytes.size() - sizeof(uint32_t) + 1);
    uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof(word));
    word = static_cast<uint32_t>(extremeNumber(word, bytes.size(), random));
    std::memcpy(bytes.data() + at, &word, sizeof(word));
  }
}

void fuzzOrtModel(Random& random) {
  std::string bytes = seeds()[random.below(seeds().size())];
  if (random.oneIn(2)) damageWords(bytes, random);
  if (random.oneIn(2)) damageBytes(bytes, seeds(), random);
  // In a block of its own size: a sanitizer sees every byte that is read too much.
  const auto held = std::make_shared<std::vector<char>>(bytes.begin(), bytes.end());
  held->shrink_to_fit();
  Progress progress;
  auto loaded =
      load::load(load::ModelSource::memory(std::as_bytes(std::span(held->data(), held->size())), held), {}, progress);
  if (!loaded) return require(!loaded.error().message.empty(), "refused without a word");
  countAccepted();
  const auto written =
      load::writeModelBytes(loaded->model, [](std::span<const std::byte>) -> Result<void> { return {}; });
  require(written.has_value(), written ? "" : "what was read cannot be written: " + describe(written.error()));
  if (const auto resolved = resolve::resolve(loaded->model, {}, progress); !resolved)
    require(!resolved.error().message.empty(), "refused without a word");
}

void prepare() {
  seeds() = corpusFiles(".ort");
  require(!seeds().empty(), "--corpus FOLDER must hold .ort models");
}

}  // namespace
}  // namespace cutaway::fuzz

int main(int count, char** texts) {
  using namespace cutaway::fuzz;
  (void)cutaway::log::setLevel("off");
  return runFuzzer(count, texts, {{"model", fuzzOrtModel}}, prepare);
}
