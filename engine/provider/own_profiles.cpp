#include "engine/provider/own_profiles.h"

#include <map>
#include <mutex>
#include <utility>

namespace cutaway {

namespace {

struct Board {
  std::mutex mutex;
  std::map<uint64_t, OwnProfiles::Reader> readers;
  uint64_t last = 0;
};

Board& board() {
  static auto* const instance = new Board;  // providers may go when the process ends
  return *instance;
}

}  // namespace

OwnProfiles::Entry::Entry(Entry&& other) noexcept : m_number(std::exchange(other.m_number, 0)) {}

OwnProfiles::Entry& OwnProfiles::Entry::operator=(Entry&& other) noexcept {
  std::swap(m_number, other.m_number);
  return *this;
}

OwnProfiles::Entry::~Entry() {
  if (m_number == 0) return;
  const std::lock_guard lock(board().mutex);
  board().readers.erase(m_number);
}

OwnProfiles::Entry OwnProfiles::add(Reader reader) {
  const std::lock_guard lock(board().mutex);
  board().readers.emplace(++board().last, std::move(reader));
  return Entry(board().last);
}

std::vector<OwnProfile> OwnProfiles::all() {
  const std::lock_guard lock(board().mutex);
  std::vector<OwnProfile> profiles;
  for (const auto& [number, reader] : board().readers)
    profiles.push_back(reader());
  return profiles;
}

}  // namespace cutaway
