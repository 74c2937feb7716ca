#pragma once
// Names for compiled functors: what DeviceBackend::find() looks up, once, when a kernel is made.
//
// A family's table file defines one function `void functors_<family>(LaunchTable& table)`, and is named in
// functors/CMakeLists.txt; both sides list all of them. Thread rule: filled once, then read. Example:
//   template <typename P, typename F> int launchUnary(const void* parameters, Stream stream, int multiprocessors) { ...
//   return forEach(...); } void functors_unary(LaunchTable& table) { table.add("unary.relu.float", &launchUnary<...>);
//   }

#include <string>
#include <string_view>
#include <unordered_map>

#include "providers/cuda/functors/executor.h"

namespace cutaway::cuda {

class LaunchTable {
 public:
  using Launch = int (*)(const void* parameters, Stream stream, int multiprocessors);
  void add(std::string name, Launch launch) { m_launches.emplace(std::move(name), launch); }
  struct Entry {
    const char* name = nullptr;
    Launch launch = nullptr;
  };
  Entry find(std::string_view name) const {
    const auto found = m_launches.find(std::string(name));
    return found == m_launches.end() ? Entry{} : Entry{found->first.c_str(), found->second};
  }
  size_t size() const { return m_launches.size(); }

 private:
  std::unordered_map<std::string, Launch> m_launches;
};

// Calls add(TypeTag) for each type of a list: table rows for many types in one line.
template <typename... Types>
struct TypeList {
  template <typename Call>
  static void each(Call call) {
    (call.template operator()<Types>(), ...);
  }
};
using FloatTypes = TypeList<float, Half, Brain, double>;
using IntegerTypes = TypeList<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;

// All families (functors/launch_table.cpp).
const LaunchTable& launchTable();

}  // namespace cutaway::cuda
