#include "providers/cuda/emulator/emulated_programs.h"

#include <mutex>
#include <unordered_map>

namespace cutaway::cuda {
namespace {

struct Programs {
  std::mutex mutex;
  std::unordered_map<std::string, EmulatedProgram> bySource;
};

Programs& programs() {
  static Programs all;
  return all;
}

}  // namespace

void putEmulatedProgram(const std::string& source, EmulatedProgram bind) {
  const std::scoped_lock lock(programs().mutex);
  programs().bySource.insert_or_assign(source, std::move(bind));
}

EmulatedProgram emulatedProgram(const std::string& source) {
  const std::scoped_lock lock(programs().mutex);
  const auto found = programs().bySource.find(source);
  return found == programs().bySource.end() ? EmulatedProgram() : found->second;
}

}  // namespace cutaway::cuda
