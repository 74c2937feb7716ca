#include "providers/openvino/asking/serve.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <new>
#include <thread>

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/base/file_descriptor.h"
#include "engine/base/sanitized.h"
#include "engine/base/service_process.h"
#include "providers/openvino/asking/wire.h"
#include "providers/openvino/library.h"

namespace cutaway::openvino {

namespace {

constexpr auto kMostIdle = std::chrono::seconds(30);
// Addresses alone: pages that nobody wrote to are one page of zeros.
constexpr std::array<uint64_t, 3> kZeroBytes{uint64_t{1} << 42, uint64_t{1} << 36, uint64_t{1} << 32};

// The program's own memory is not at stake here, so that it may be generous; a stack for each thread that OpenVINO has
// comes on top.
constexpr uint64_t kMostMemoryBytes = uint64_t{4} << 30, kStackBytes = uint64_t{16} << 20;

// What may be written to, which is neither code nor the zeros below.
class MemoryLimit {
 public:
  explicit MemoryLimit(uint64_t bytes) : m_bytes(bytes) {
    getrlimit(RLIMIT_DATA, &m_inherited);
    set(m_bytes);
  }

  // While a group is tried, which the program bounds before it asks: what ends this process then would end the program
  // as well.
  class Lifted {
   public:
    explicit Lifted(const MemoryLimit& limit) : m_limit(limit) { m_limit.set(m_limit.m_inherited.rlim_cur); }
    ~Lifted() {
      malloc_trim(0);
      m_limit.set(m_limit.m_bytes);
    }
    Lifted(const Lifted&) = delete;
    Lifted& operator=(const Lifted&) = delete;

   private:
    const MemoryLimit& m_limit;
  };

 private:
  void set(rlim_t bytes) const {
    const rlimit limit{std::min(bytes, m_inherited.rlim_cur), m_inherited.rlim_max};
    if (!kSanitized) setrlimit(RLIMIT_DATA, &limit);  // shadow memory would count, too
  }

  rlim_t m_bytes;
  rlimit m_inherited{RLIM_INFINITY, RLIM_INFINITY};
};

uint64_t mostMemoryBytes() {
  const auto machineBytes =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return std::min(kMostMemoryBytes, machineBytes / 2) + std::thread::hardware_concurrency() * kStackBytes;
}

// Should the machine run short, this process is the one to be ended.
void goFirst() {
  if (const FileDescriptor score(open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)); score.get() >= 0)
    (void)!write(score.get(), "1000", 4);
}

void reserveZeros(Greeting& greeting) {
  for (const uint64_t bytes : kZeroBytes) {
    void* const place = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) continue;
    greeting.zerosAt = reinterpret_cast<uint64_t>(place);
    greeting.zeroBytes = bytes;
    return;
  }
}

// In the middle of a question, too, and where OpenVINO never comes back from it.
void endWithProgram() {
  pollfd socket{kServiceSocket, POLLRDHUP, 0};
  while ((socket.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) == 0)
    poll(&socket, 1, -1);
  _exit(0);
}

class Service {
 public:
  Service(Bridge& bridge, const MemoryLimit& limit) : m_bridge(bridge), m_limit(limit) {}

  // The memory of this process is limited: what needs more is refused, the same way every time.
  Said answered(const Inquiry& inquiry) try {
    Said said;
    switch (inquiry.kind) {
      case InquiryKind::kJudge:
        said.judged = m_bridge.judge(inquiry.model, inquiry.outputs, inquiry.count, inquiry.device, said.problem);
        break;
      case InquiryKind::kConversionProblem:
        said.problem = m_bridge.conversionProblem(inquiry.model);
        break;
      case InquiryKind::kImport: {
        const std::unique_ptr<Compiled> compiled = m_bridge.importBlob(
            {inquiry.model.data(), inquiry.model.size()}, {.device = inquiry.device, .properties = {}}, said.problem);
        if (compiled != nullptr) compiled->makeRequest(said.problem);
        break;
      }
      case InquiryKind::kCompile: {
        m_tried.reset();
        const MemoryLimit::Lifted lifted(m_limit);
        m_tried =
            m_bridge.compile(inquiry.model, {.device = inquiry.device, .properties = inquiry.properties}, said.problem);
        break;
      }
      case InquiryKind::kRunOnZeros: {
        const MemoryLimit::Lifted lifted(m_limit);
        const std::unique_ptr<Compiled> tried = std::move(m_tried);
        if (tried != nullptr) tried->runOnZeros(said.problem);
        break;
      }
    }
    return said;
  } catch (const std::bad_alloc&) {
    Said said;
    said.problem = "out of memory";
    return said;
  }

 private:
  Bridge& m_bridge;
  const MemoryLimit& m_limit;
  std::unique_ptr<Compiled> m_tried;
};

}  // namespace

int serveQuestions(pid_t parent) {
  if (getppid() != parent) return 1;
  std::signal(SIGPIPE, SIG_IGN);
  Greeting greeting;
  greeting.memoryBytes = mostMemoryBytes();
  goFirst();
  const MemoryLimit limit(greeting.memoryBytes);
  prctl(PR_SET_DUMPABLE, 0);  // a crash here is an answer: no core file of it
  std::thread(endWithProgram).detach();
  const Library& library = openvinoLibrary();
  if (library.bridge != nullptr) greeting.version = library.bridge->version();
  reserveZeros(greeting);
  if (writeFrame(kServiceSocket, bytesOf(greeting)) != FrameState::kGood || library.bridge == nullptr) return 0;
  Service service(*library.bridge, limit);
  for (std::string body;;) {
    const auto lastAsked = std::chrono::steady_clock::now();
    const auto idle = [&] { return std::chrono::steady_clock::now() - lastAsked > kMostIdle; };
    if (readFrame(kServiceSocket, kMostAskedBytes, body, idle) != FrameState::kGood) _exit(0);
    const std::optional<Inquiry> inquiry = inquiryFrom(body);
    if (!inquiry) _exit(1);
    if (writeFrame(kServiceSocket, bytesOf(service.answered(*inquiry))) != FrameState::kGood) _exit(0);
  }
}

}  // namespace cutaway::openvino
