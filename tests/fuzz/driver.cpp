#include "tests/fuzz/driver.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include <signal.h>
#include <unistd.h>

// There in programs that are built with a sanitizer.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace cutaway::fuzz {
namespace {

struct Settings {
  double seconds = 0;
  uint64_t cases = 0, seed = 1;
  int64_t only = -1;
  std::string target;
  std::filesystem::path corpus;
};

Settings g_settings;
uint64_t g_case = 0, g_accepted = 0;
const char* g_target = "";

// Only what may be called when nothing else works any more.
void tellCase() {
  char text[160];
  const int length =
      std::snprintf(text, sizeof(text), "\nfuzz case (target %s): %s%s --seed %llu --only %llu\n", g_target,
                    g_settings.target.empty() ? "" : "--target ", g_settings.target.c_str(),
                    static_cast<unsigned long long>(g_settings.seed), static_cast<unsigned long long>(g_case));
  if (length > 0) (void)!::write(STDERR_FILENO, text, static_cast<size_t>(length));
}

void onSignal(int number) {
  tellCase();
  ::signal(number, SIG_DFL);
  ::raise(number);
}

bool readArguments(int count, char** texts) {
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = texts[i];
    const char* const value = texts[i + 1];
    if (name == "--seconds")
      g_settings.seconds = std::atof(value);
    else if (name == "--cases")
      g_settings.cases = std::strtoull(value, nullptr, 10);
    else if (name == "--seed")
      g_settings.seed = std::strtoull(value, nullptr, 10);
    else if (name == "--only")
      g_settings.only = std::atoll(value);
    else if (name == "--target")
      g_settings.target = value;
    else if (name == "--corpus")
      g_settings.corpus = value;
    else
      return false;
  }
  return count % 2 == 1 && (g_settings.seconds > 0 || g_settings.cases > 0 || g_settings.only >= 0);
}

struct Slowest {
  double seconds = 0;
  uint64_t number = 0;
};

// Whose turn it is. With --seconds the target that had the least time, so that quick ones run as often as they can;
// else one after the other. Case N is of target N modulo their count either way.
class Turns {
 public:
  explicit Turns(size_t targets) : m_spent(targets), m_cases(targets) {}
  uint64_t next() {
    const auto least = static_cast<size_t>(std::ranges::min_element(m_spent) - m_spent.begin());
    const size_t index = g_settings.seconds > 0 ? least : m_turn++ % m_cases.size();
    return m_cases[index]++ * m_cases.size() + index;
  }
  void took(size_t index, double seconds) { m_spent[index] += seconds; }
  void tell(const std::vector<const FuzzTarget*>& targets) const {
    for (size_t i = 0; i < targets.size(); ++i)
      std::printf("%s: %llu in %.1f s\n", targets[i]->name.c_str(), static_cast<unsigned long long>(m_cases[i]),
                  m_spent[i]);
  }

 private:
  std::vector<double> m_spent;
  std::vector<uint64_t> m_cases;
  size_t m_turn = 0;
};

}  // namespace

std::vector<std::string> corpusFiles(const std::string& ending) {
  std::vector<std::filesystem::path> paths;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(g_settings.corpus, ignored)) {
    if (entry.path().filename().string().ends_with(ending)) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<std::string> contents;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    contents.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return contents;
}

void require(bool isTrue, const std::string& what) {
  if (isTrue) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

void countAccepted() {
  ++g_accepted;
}

int runFuzzer(int count, char** texts, const std::vector<FuzzTarget>& targets, const std::function<void()>& prepare) {
  using Clock = std::chrono::steady_clock;
  if (!readArguments(count, texts)) {
    std::fprintf(stderr,
                 "usage: %s (--seconds N | --cases N | --only N) [--seed S] [--target NAME] [--corpus FOLDER]\n",
                 texts[0]);
    return 2;
  }
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM})
    ::signal(number, onSignal);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(tellCase);
  if (prepare) prepare();
  std::vector<const FuzzTarget*> chosen;
  for (const FuzzTarget& each : targets) {
    if (g_settings.target.empty() || g_settings.target == each.name) chosen.push_back(&each);
  }
  if (chosen.empty()) {
    std::fprintf(stderr, "there is no target '%s'\n", g_settings.target.c_str());
    return 2;
  }
  const auto start = Clock::now();
  Slowest slowest;
  uint64_t done = 0;
  const auto secondsBetween = [](Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  };
  const uint64_t wanted = g_settings.only >= 0 ? 1 : g_settings.cases;
  Turns turns(chosen.size());
  auto now = start;
  for (; (wanted == 0 || done < wanted) && (g_settings.seconds == 0 || secondsBetween(start, now) < g_settings.seconds);
       ++done) {
    g_case = g_settings.only >= 0 ? static_cast<uint64_t>(g_settings.only) : turns.next();
    const size_t index = g_case % chosen.size();
    g_target = chosen[index]->name.c_str();
    Random random(Random(g_settings.seed).next() ^ Random(g_case + 1).next());
    chosen[index]->run(random);
    const auto end = Clock::now();
    const double seconds = secondsBetween(now, end);
    turns.took(index, seconds);
    if (seconds > slowest.seconds) slowest = {seconds, g_case};
    now = end;
  }
  if (g_settings.seconds > 0) turns.tell(chosen);
  std::printf("%llu cases (%llu accepted) of seed %llu in %.1f s, the slowest (%llu) took %.3f s\n",
              static_cast<unsigned long long>(done), static_cast<unsigned long long>(g_accepted),
              static_cast<unsigned long long>(g_settings.seed), secondsBetween(start, now),
              static_cast<unsigned long long>(slowest.number), slowest.seconds);
  return 0;
}

}  // namespace cutaway::fuzz
