#pragma once
// Runs fuzz targets: --seconds N or --cases N, --seed S, --only N (one case), --target NAME, --corpus FOLDER.
//
// Case N of seed S is always the same input. A crash, a sanitizer's finding or a broken require() prints both.
// Thread rule: one thread. Example: int main(int count, char** texts) { return runFuzzer(count, texts, {{"binary",
// fuzzBinary}}); }

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace cutaway::fuzz {

// SplitMix64 (Steele, Lea, Flood 2014): the same numbers everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : m_state(seed) {}
  uint64_t next() {
    uint64_t z = (m_state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // 0 .. count - 1; 0 for 0.
  size_t below(size_t count) { return count == 0 ? 0 : static_cast<size_t>(next() % count); }
  bool oneIn(size_t count) { return below(count) == 0; }

 private:
  uint64_t m_state;
};

struct FuzzTarget {
  std::string name;
  std::function<void(Random&)> run;
};

// Files of the corpus whose names end so, in order of names. Empty without --corpus.
std::vector<std::string> corpusFiles(const std::string& ending);
// Ends the program, telling the case.
void require(bool isTrue, const std::string& what);
// The input got through: told at the end, so that one sees whether damage is too coarse.
void countAccepted();
// `prepare` is called once, after arguments were read.
int runFuzzer(int count, char** texts, const std::vector<FuzzTarget>& targets,
              const std::function<void()>& prepare = {});

}  // namespace cutaway::fuzz
