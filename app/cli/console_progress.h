#pragma once
// Progress on stderr when that is a terminal, and Ctrl-C as a cancel token.
//
// Thread rule: one per process, made by the main thread. The second Ctrl-C ends the process at once; a record
// (--record) is written before.
// Example: ConsoleProgress progress;  Session::create(..., progress);

#include <string>

#include "engine/base/progress.h"

namespace cutaway::cli {

class ConsoleProgress final : public Progress {
 public:
  ConsoleProgress();
  static bool interrupted();  // Ctrl-C or a request to end was heard
  ~ConsoleProgress() override;

  void begin(std::string_view stage, std::string_view detail) override;
  void update(uint64_t done, uint64_t total) override;

 private:
  void show(std::string_view text);
  bool m_terminal;
  std::string m_label;
  int64_t m_shownNs = 0;
};

}  // namespace cutaway::cli
