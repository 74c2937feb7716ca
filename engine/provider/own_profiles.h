#pragma once
// What providers measured inside their own groups, in units of their own: steps of a vendor's compiler, cycles of its
// simulator. Such figures stand beside the times of this program and are never added to them or compared with them.
//
// A provider adds a reader for each group and keeps the entry for as long as the group lives. Thread rule: any thread;
// a reader is called by who asks, and touches nothing that its provider changes meanwhile. Example:
//   m_entry = OwnProfiles::add([file] { return readProfile(file); });
//   for (const OwnProfile& profile : OwnProfiles::all()) print(profile);

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cutaway {

enum class OwnPart : uint8_t { kCompile, kRun, kNode };

struct OwnFigure {
  OwnPart part = OwnPart::kRun;
  std::string name;    // the vendor's words; of a node its name in the group
  std::string opType;  // of a node, where it is one of the group's
  std::string unit;    // "us", "cycles", "count"
  double mean = 0, minimum = 0, maximum = 0;
  int64_t times = 0;  // that it was measured
};

struct OwnProfile {
  std::string provider;  // as in --providers
  std::string title;
  std::string group;       // name of the fused node
  bool simulated = false;  // figures of a simulator on this machine, not of the hardware
  std::vector<OwnFigure> figures;
  std::string problem;  // why there are none
};

class OwnProfiles {
 public:
  using Reader = std::function<OwnProfile()>;
  // Takes its reader away when it goes.
  class Entry {
   public:
    Entry() = default;
    explicit Entry(uint64_t number) : m_number(number) {}
    Entry(Entry&& other) noexcept;
    Entry& operator=(Entry&& other) noexcept;
    ~Entry();

   private:
    uint64_t m_number = 0;
  };

  [[nodiscard]] static Entry add(Reader reader);
  // Of all groups that are alive in this process, in the order they were added.
  static std::vector<OwnProfile> all();
};

}  // namespace cutaway
