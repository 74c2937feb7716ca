#include "engine/execute/memory/arena_forecast.h"

#include <algorithm>
#include <deque>

#include "engine/base/format.h"

namespace cutaway::execute {
namespace {

// Addresses for an arena that is only counted: regions lie one behind the other and are never read or written.
class EmptyRegions final : public Allocator {
 public:
  explicit EmptyRegions(Device device) : m_device(std::move(device)) {}
  void* allocate(size_t sizeBytes) override {
    const uintptr_t region = m_next;
    m_next += sizeBytes + kBlockAlignment;
    return reinterpret_cast<void*>(region);
  }
  void release(void* /*block*/) override {}
  const Device& device() const override { return m_device; }

 private:
  Device m_device;
  uintptr_t m_next = uintptr_t{1} << 40;
};

struct DeviceArena {
  DeviceArena(const Device& device, const ArenaOptions& options)
      : regions(device), arena(regions, meter, options), forecast{.device = device.name} {}
  EmptyRegions regions;
  MemoryMeter meter;
  Arena arena;
  ArenaForecast forecast;
};

// By step: buffers that open there, in the order in which the step's outputs stand, parts before what they are part of.
std::vector<std::vector<ValueId>> openings(const plan::PlannedGraph& planned) {
  std::vector<std::vector<ValueId>> opening(planned.order.steps.size());
  std::vector<bool> isOpen(planned.allocation.values.size(), false);
  for (size_t step = 0; step < opening.size(); ++step) {
    for (const ValueId output : planned.graph->node(planned.order.steps[step].node).outputs) {
      if (!output.valid()) continue;
      const ValueId root = planned.allocation.values[output.index()].root;
      if (!root.valid() || planned.allocation.values[root.index()].kind != AllocKind::kAllocate) continue;
      if (isOpen[root.index()]) continue;
      isOpen[root.index()] = true;
      opening[step].push_back(root);
    }
  }
  return opening;
}

}  // namespace

std::vector<ArenaForecast> forecastArenas(const plan::PlannedGraph& planned, std::span<const int64_t> sizes,
                                          const ArenaOptions& options) {
  std::deque<DeviceArena> devices;  // an arena keeps the address of its meter
  const auto arenaOf = [&](const Device& device) -> DeviceArena& {
    const auto found = std::find_if(devices.begin(), devices.end(),
                                    [&](const DeviceArena& each) { return each.regions.device() == device; });
    return found != devices.end() ? *found : devices.emplace_back(device, options);
  };
  const std::vector<std::vector<ValueId>> opening = openings(planned);
  std::vector<MemoryChunk> chunks(planned.allocation.values.size());
  for (size_t step = 0; step < opening.size(); ++step) {
    for (const ValueId root : opening[step]) {
      DeviceArena& at = arenaOf(planned.allocation.values[root.index()].device);
      if (sizes[root.index()] < 0) {
        ++at.forecast.openBuffers;
        continue;
      }
      chunks[root.index()] = at.arena.acquire(sizes[root.index()]);
    }
    for (const ValueId root : planned.allocation.releasedAfterStep[step]) {
      MemoryChunk& chunk = chunks[root.index()];
      if (chunk.data != nullptr) arenaOf(planned.allocation.values[root.index()].device).arena.giveBack(chunk);
      chunk = {};
    }
  }
  std::vector<ArenaForecast> forecasts;
  for (DeviceArena& each : devices) {
    const ArenaStatistics counted = each.meter.arena();
    each.forecast.heldBytes = counted.heldBytes;
    each.forecast.peakInUseBytes = counted.peakInUseBytes;
    each.forecast.requests = counted.allocations;
    each.forecast.regions = counted.extensions;
    forecasts.push_back(each.forecast);
  }
  return forecasts;
}

std::string forecastText(const ArenaForecast& forecast) {
  const bool open = forecast.openBuffers > 0;
  return fmt::format("{}: {}{} in {} {}, at most {} of it in use at once{}", forecast.device, open ? "at least " : "",
                     formatBytes(forecast.heldBytes), forecast.regions, forecast.regions == 1 ? "region" : "regions",
                     formatBytes(forecast.peakInUseBytes),
                     open ? fmt::format(" ({} {} no size before running)", forecast.openBuffers,
                                        forecast.openBuffers == 1 ? "buffer has" : "buffers have")
                          : std::string());
}

}  // namespace cutaway::execute
