#include "providers/cuda/module/trace.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>

#include <cupti.h>
#include <cxxabi.h>

#include "providers/cuda/module/libraries.h"

namespace cutaway::cuda {
namespace {

constexpr size_t kBufferBytes = size_t{4} << 20;
constexpr size_t kBufferAlignment = 8;  // what CUPTI asks of buffers
constexpr CUpti_ActivityKind kKinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                         CUPTI_ACTIVITY_KIND_MEMSET};

struct Calls {
  decltype(&cuptiActivityEnable) enable = nullptr;
  decltype(&cuptiActivityDisable) disable = nullptr;
  decltype(&cuptiActivityRegisterCallbacks) registerCallbacks = nullptr;
  decltype(&cuptiActivityFlushAll) flush = nullptr;
  decltype(&cuptiActivityGetNextRecord) next = nullptr;
  decltype(&cuptiGetTimestamp) timestamp = nullptr;
  decltype(&cuptiGetResultString) resultText = nullptr;
  std::string missing;
};

const Calls& cupti() {
  static const Calls opened = [] {
    Calls c;
    const OpenedLibrary& library = cuptiLibrary();
    if (!library) {
      c.missing = library.reason;
      return c;
    }
    const auto bind = [&](auto& call, const char* name) {
      call = reinterpret_cast<std::remove_reference_t<decltype(call)>>(library.address(name));
      if (call == nullptr) c.missing = "CUPTI: " + library.path + " has no function " + name;
    };
    bind(c.enable, "cuptiActivityEnable");
    bind(c.disable, "cuptiActivityDisable");
    bind(c.registerCallbacks, "cuptiActivityRegisterCallbacks");
    bind(c.flush, "cuptiActivityFlushAll");
    bind(c.next, "cuptiActivityGetNextRecord");
    bind(c.timestamp, "cuptiGetTimestamp");
    bind(c.resultText, "cuptiGetResultString");
    return c;
  }();
  return opened;
}

struct Recorded {
  DeviceActivity activity;  // times on CUPTI's clock
  uint32_t device;
};

// CUPTI hands full buffers over on threads of its own.
struct State {
  std::mutex mutex;
  bool running = false;
  bool registered = false;
  std::vector<Recorded> records;
};

State& state() {
  static State* const kept = new State;  // CUPTI may call until the process ends
  return *kept;
}

Status statusOf(const Calls& c, CUptiResult result, const char* what) {
  if (result == CUPTI_SUCCESS) return {};
  const char* text = nullptr;
  c.resultText(result, &text);
  return Status::unsupported(std::string(what) + ": " + (text == nullptr ? "unknown" : text));
}

std::string readable(const char* mangled) {
  if (mangled == nullptr) return "kernel";
  int status = 0;
  char* const text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = status == 0 && text != nullptr ? text : mangled;
  std::free(text);
  return name;
}

const char* copyName(uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return "copy to the device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return "copy to the host";
    default:
      return "copy";
  }
}

// Records of newer CUPTI begin as those of this header.
void keep(const CUpti_Activity* record, std::vector<Recorded>& records) {
  const auto add = [&](const auto* r, std::string name, uint64_t bytes) {
    records.push_back({{.name = std::move(name),
                        .startNs = static_cast<int64_t>(r->start),
                        .endNs = static_cast<int64_t>(r->end),
                        .bytes = static_cast<int64_t>(bytes),
                        .stream = r->streamId},
                       r->deviceId});
  };
  switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel10*>(record);
      return add(kernel, readable(kernel->name), 0);
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto* copy = reinterpret_cast<const CUpti_ActivityMemcpy6*>(record);
      return add(copy, copyName(copy->copyKind), copy->bytes);
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto* fill = reinterpret_cast<const CUpti_ActivityMemset4*>(record);
      return add(fill, "fill", fill->bytes);
    }
    default:
      return;
  }
}

void CUPTIAPI giveBuffer(uint8_t** buffer, size_t* sizeBytes, size_t* mostRecords) {
  *buffer = static_cast<uint8_t*>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
  *sizeBytes = *buffer == nullptr ? 0 : kBufferBytes;
  *mostRecords = 0;
}

void CUPTIAPI takeBuffer(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t validBytes) {
  {
    const std::scoped_lock lock(state().mutex);
    CUpti_Activity* record = nullptr;
    while (validBytes > 0 && cupti().next(buffer, validBytes, &record) == CUPTI_SUCCESS)
      keep(record, state().records);
  }
  std::free(buffer);
}

int64_t steadyNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// What to add to CUPTI's clock to get the host's steady one: asked between two looks at the latter.
int64_t clockOffset(const Calls& c) {
  const int64_t before = steadyNs();
  uint64_t theirs = 0;
  c.timestamp(&theirs);
  return before + (steadyNs() - before) / 2 - static_cast<int64_t>(theirs);
}

void disableAll(const Calls& c) {
  for (const CUpti_ActivityKind kind : kKinds)
    c.disable(kind);
}

}  // namespace

Status startDeviceTrace() {
  const Calls& c = cupti();
  if (!c.missing.empty()) return Status::unsupported(c.missing);
  {
    const std::scoped_lock lock(state().mutex);
    if (state().running) return Status::unsupported("CUPTI: another trace is running in this process");
    state().running = true;
    state().records.clear();
  }
  Status failure;
  if (!state().registered)
    failure = statusOf(c, c.registerCallbacks(giveBuffer, takeBuffer), "cuptiActivityRegisterCallbacks");
  state().registered = failure.ok();
  for (const CUpti_ActivityKind kind : kKinds) {
    if (failure.ok()) failure = statusOf(c, c.enable(kind), "cuptiActivityEnable");
  }
  if (!failure.ok()) {
    disableAll(c);
    const std::scoped_lock lock(state().mutex);
    state().running = false;
  }
  return failure;
}

Status stopDeviceTrace(int device, std::vector<DeviceActivity>& activities) {
  activities.clear();
  const Calls& c = cupti();
  {
    const std::scoped_lock lock(state().mutex);
    if (!state().running) return Status::unsupported("CUPTI: no trace is running");
  }
  Status failure = statusOf(c, c.flush(0), "cuptiActivityFlushAll");
  disableAll(c);
  const int64_t offset = clockOffset(c);
  const std::scoped_lock lock(state().mutex);
  state().running = false;
  for (Recorded& each : state().records) {
    if (each.device != static_cast<uint32_t>(device)) continue;
    each.activity.startNs += offset;
    each.activity.endNs += offset;
    activities.push_back(std::move(each.activity));
  }
  state().records.clear();
  std::sort(activities.begin(), activities.end(), [](const DeviceActivity& a, const DeviceActivity& b) {
    return a.startNs != b.startNs ? a.startNs < b.startNs : a.endNs < b.endNs;
  });
  return failure;
}

}  // namespace cutaway::cuda
