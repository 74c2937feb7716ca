#include "tests/provider/late_device.h"

#include <cstring>
#include <map>

namespace cutaway {
namespace {

const Device kDevice{.type = DeviceType::kGpu, .index = 0, .name = "late:0"};

class LateAllocator final : public Allocator {
 public:
  void* allocate(size_t sizeBytes) override { return heapAllocator().allocate(sizeBytes); }
  void release(void* block) override { heapAllocator().release(block); }
  const Device& device() const override { return kDevice; }
};

class LateRun final : public DeviceRun {
 public:
  LateRun(std::shared_ptr<LateDeviceSettings> settings, std::shared_ptr<LateDeviceCounts> counts)
      : m_settings(std::move(settings)), m_counts(std::move(counts)) {}

  Result<void> begin(bool) override {
    if (m_settings->lost) return fail(ErrorCode::kDeviceReset, "the test lost the device");
    ++m_counts->runs;
    m_open.clear();
    m_problem = {};
    return {};
  }

  Result<void> end(bool completed) override {
    ++m_counts->ends;
    for (auto& [number, copy] : m_open) {
      if (completed) perform(copy);
      ++m_counts->copiesAtEnd;
    }
    m_open.clear();
    return std::exchange(m_problem, {});
  }

  void beginStep(int32_t step) override {
    if (!m_settings->onStep) return;
    if (auto done = m_settings->onStep(step); !done && m_problem) m_problem = std::move(done);
  }

  Result<void> copyAside(const Tensor& from, Tensor& to, int32_t number) override {
    finish(number);
    Copy copy{
        .from = from.data(), .to = to.mutableData(), .sizeBytes = static_cast<size_t>(from.sizeBytes()), .staged = {}};
    const bool toDevice = from.device().type == DeviceType::kCpu;
    ++(toDevice ? m_counts->copiesToDevice : m_counts->copiesToHost);
    if (toDevice) {
      copy.staged.assign(static_cast<const std::byte*>(copy.from),
                         static_cast<const std::byte*>(copy.from) + copy.sizeBytes);
      // Whoever reads it too early reads this.
      std::memset(copy.to, 0x7f, copy.sizeBytes);
    } else {
      std::memset(copy.to, 0x7e, copy.sizeBytes);
    }
    m_open.emplace(number, std::move(copy));
    return {};
  }

  Result<void> signal(int32_t) override { return {}; }
  Result<void> waitOnHost(int32_t number) override {
    ++m_counts->hostWaits;
    finish(number);
    return {};
  }
  Result<void> waitOnDevice(int32_t number) override {
    finish(number);
    return {};
  }
  const std::vector<DeviceSpan>& spans() const override { return m_spans; }

 private:
  struct Copy {
    const void* from = nullptr;
    void* to = nullptr;
    size_t sizeBytes = 0;
    std::vector<std::byte> staged;
  };
  static void perform(const Copy& copy) {
    std::memcpy(copy.to, copy.staged.empty() ? copy.from : copy.staged.data(), copy.sizeBytes);
  }
  void finish(int32_t number) {
    const auto found = m_open.find(number);
    if (found == m_open.end()) return;
    perform(found->second);
    m_open.erase(found);
  }

  std::shared_ptr<LateDeviceSettings> m_settings;
  std::shared_ptr<LateDeviceCounts> m_counts;
  std::map<int32_t, Copy> m_open;
  Result<void> m_problem;
  std::vector<DeviceSpan> m_spans;
};

class LateDevice final : public ExecutionProvider {
 public:
  LateDevice(std::shared_ptr<LateDeviceSettings> settings, std::shared_ptr<LateDeviceCounts> counts)
      : m_settings(std::move(settings)), m_counts(std::move(counts)) {}
  const std::string& name() const override { return m_name; }
  const Device& device() const override { return kDevice; }
  Allocator& allocator() override { return m_allocator; }
  const KernelRegistry* kernels() const override { return m_settings->kernels; }

  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    CUTAWAY_TRY(CapabilityAnswer answer, ExecutionProvider::capability(request));
    std::vector<ComputeCapability> claims;
    for (ComputeCapability& claim : answer.claims) {
      const NodeId id = claim.subGraph.nodes.front();
      if (m_settings->takes(request.graph.node(id))) {
        claims.push_back(std::move(claim));
      } else {
        answer.refusals.push_back({id, RefusalCause::kOperator, "the test did not ask for it"});
      }
    }
    answer.claims = std::move(claims);
    return answer;
  }

  Result<void> copy(const Tensor& from, Tensor& to) const override {
    std::memcpy(to.mutableData(), from.data(), static_cast<size_t>(from.sizeBytes()));
    return {};
  }
  bool canRun() const override { return !m_settings->missing; }
  std::unique_ptr<ProviderRun> createRun() override {
    ++m_counts->runsMade;
    return std::make_unique<LateRun>(m_settings, m_counts);
  }

 private:
  std::string m_name = "late";
  LateAllocator m_allocator;
  std::shared_ptr<LateDeviceSettings> m_settings;
  std::shared_ptr<LateDeviceCounts> m_counts;
};

}  // namespace

std::unique_ptr<ExecutionProvider> makeLateDevice(std::shared_ptr<LateDeviceSettings> settings,
                                                  std::shared_ptr<LateDeviceCounts> counts) {
  return std::make_unique<LateDevice>(std::move(settings), std::move(counts));
}

}  // namespace cutaway
