#include "providers/cuda/host/host_programs.h"

#include <mutex>
#include <unordered_map>

namespace cutaway::cuda {
namespace {

struct Programs {
  std::mutex mutex;
  std::unordered_map<std::string, HostProgram> bySource;
};

Programs& programs() {
  static Programs all;
  return all;
}

}  // namespace

void putHostProgram(const std::string& source, HostProgram bind) {
  const std::scoped_lock lock(programs().mutex);
  programs().bySource.insert_or_assign(source, std::move(bind));
}

HostProgram hostProgram(const std::string& source) {
  const std::scoped_lock lock(programs().mutex);
  const auto found = programs().bySource.find(source);
  return found == programs().bySource.end() ? HostProgram() : found->second;
}

}  // namespace cutaway::cuda
