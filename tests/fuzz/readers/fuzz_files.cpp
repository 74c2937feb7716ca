// The targets of libFuzzer (targets.h) on the plain driver, for CTest and for compilers without libFuzzer: seeds of
// seeds.py, changed as JSON or as models where they are, as
// bytes otherwise. --corpus FOLDER --target NAME --cases N.

#include <cstdio>
#include <map>

#include "engine/base/log.h"
#include "tests/fuzz/context/mutate.h"
#include "tests/fuzz/readers/targets.h"

namespace cutaway::fuzz {
namespace {

std::map<std::string_view, std::vector<std::string>>& seeds() {
  static std::map<std::string_view, std::vector<std::string>> all;
  return all;
}

// In a block of its own size: a sanitizer sees every byte that is read too much.
void read(const ReaderTarget& target, std::string_view bytes) {
  const std::vector<char> held(bytes.begin(), bytes.end());
  target.read({held.data(), held.size()});
}

void fuzz(const ReaderTarget& target, Random& random) {
  const std::vector<std::string>& own = seeds()[target.name];
  std::string bytes = own[random.below(own.size())];
  std::optional<std::string> changed;
  if (!random.oneIn(4)) changed = mutatedByForm(bytes, random);
  if (changed)
    bytes = *std::move(changed);
  else
    damageBytes(bytes, own, random);
  read(target, bytes);
}

// Every file of the corpus is read as it is, too: what once was a finding stays mended. The last line before a signal
// says whose it was.
void prepare() {
  for (const ReaderTarget& target : readerTargets()) {
    seeds()[target.name] = corpusFiles(std::string(".").append(target.name));
    require(!seeds()[target.name].empty(), "--corpus FOLDER must hold files that end in ." + std::string(target.name));
    std::printf("%.*s: %zu files of the corpus as they are\n", static_cast<int>(target.name.size()), target.name.data(),
                seeds()[target.name].size());
    std::fflush(stdout);
    for (const std::string& each : seeds()[target.name])
      read(target, each);
  }
}

}  // namespace
}  // namespace cutaway::fuzz

int main(int count, char** texts) {
  using namespace cutaway::fuzz;
  (void)cutaway::log::setLevel("off");
  std::vector<FuzzTarget> targets;
  for (const ReaderTarget& each : readerTargets())
    targets.push_back({std::string(each.name), [&each](Random& random) { fuzz(each, random); }});
  return runFuzzer(count, texts, targets, prepare);
}
