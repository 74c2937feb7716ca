// Damaged context binaries, metadata and nodes (see ../README.md).

#include "engine/base/log.h"
#include "tests/fuzz/context/targets.h"

int main(int count, char** texts) {
  using namespace cutaway::fuzz;
  (void)cutaway::log::setLevel("off");
  return runFuzzer(count, texts, {{"binary", fuzzBinary}, {"inside", fuzzInside}, {"catalog", fuzzCatalog}},
                   prepareContexts);
}
