#include "providers/cuda/module/lt_matmul.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>

#include <cuda_runtime_api.h>

#include "providers/cuda/module/errors.h"
#include "providers/cuda/module/lt_plan.h"

namespace cutaway::cuda {
namespace {

constexpr uint32_t kAligned =
    16;  // bytes; what the fastest loads want. Blocks of the arena are, parts of tensors may not be
constexpr int kSearched = 16;
constexpr int kTimedRuns = 5;

uint32_t elementBytes(ElementType type) {
  switch (type) {
    case ElementType::kDouble:
      return 8;
    case ElementType::kInt8:
      return 1;
    case ElementType::kFloat16:
    case ElementType::kBfloat16:
      return 2;
    default:
      return 4;
  }
}

struct LtOperands {
  const void* a = nullptr;
  const void* b = nullptr;
  void* y = nullptr;
  const void* bias = nullptr;
  const void* residual = nullptr;
};

class LtMatmul final : public Operation {
 public:
  LtMatmul(const LtLibrary& lt, cublasLtHandle_t handle, const MatmulDescription& description, int device)
      : m_lt(lt), m_handle(handle), m_description(description), m_device(device) {}

  Status prepare(const LtDevice& device, ArtifactStore& store) {
    if (Status failure = m_plan.describe(m_lt, m_description); !failure.ok()) return failure;
    const DeviceFacts& facts = device.backend->facts();
    const std::string key = "cublaslt " + std::to_string(m_lt.version()) + " " + facts.architecture + " " +
                            std::to_string(facts.multiprocessors) + (device.search ? " searched " : " heuristic ") +
                            m_description.key();
    if (restore(store, key)) return {};
    if (store.sealed())
      return Status::unsupported(
          "no algorithm is kept for this product, and none may be chosen while a context is restored");
    std::vector<LtAlgorithm> found;
    if (Status failure = m_plan.algorithms(m_lt, m_handle, kAligned, device.search ? kSearched : 1, found);
        !failure.ok())
      return failure;
    if (device.search && found.size() > 1) fastestFirst(*device.backend, found);
    m_algorithm = found.front();
    std::vector<std::byte> bytes(sizeof(LtAlgorithm));
    std::memcpy(bytes.data(), &m_algorithm, sizeof(LtAlgorithm));
    store.keep(key, bytes);
    name();
    return {};
  }

  size_t workspaceBytes() const override { return m_algorithm.workspaceBytes; }
  std::string_view variant() const override { return m_name; }

  Status run(const OperationCall& call, Stream stream) const override {
    const size_t wanted = 3 + (m_description.epilogue.bias ? 1 : 0) + (m_description.epilogue.residual ? 1 : 0);
    if (call.pointers.size() != wanted)
      return {StatusCode::kOther,
              "a product of " + std::to_string(wanted) + " operands was given " + std::to_string(call.pointers.size())};
    LtOperands operands{.a = call.pointers[0], .b = call.pointers[1], .y = call.pointers[2]};
    if (m_description.epilogue.bias) operands.bias = call.pointers[3];
    if (m_description.epilogue.residual) operands.residual = call.pointers.back();
    if (Status failure = statusOf(cudaSetDevice(m_device), "cudaSetDevice"); !failure.ok()) return failure;
    if (aligned(operands)) return enqueue(operands, m_algorithm, call.workspace, stream);
    const LtAlgorithm* slower = nullptr;
    if (Status failure = unaligned(slower); !failure.ok()) return failure;
    return enqueue(operands, *slower, call.workspace, stream);
  }

 private:
  static bool aligned(const LtOperands& o) {
    const uintptr_t all = reinterpret_cast<uintptr_t>(o.a) | reinterpret_cast<uintptr_t>(o.b) |
                          reinterpret_cast<uintptr_t>(o.y) | reinterpret_cast<uintptr_t>(o.bias) |
                          reinterpret_cast<uintptr_t>(o.residual);
    return all % kAligned == 0;
  }

  bool restore(const ArtifactStore& store, const std::string& key) {
    std::vector<std::byte> bytes;
    if (!store.find(key, bytes) || bytes.size() != sizeof(LtAlgorithm)) return false;
    LtAlgorithm kept;
    std::memcpy(&kept, bytes.data(), sizeof(LtAlgorithm));
    if (kept.workspaceBytes > kLtWorkspaceBytes || !m_plan.accepts(m_lt, m_handle, kept)) return false;
    m_algorithm = kept;
    name();
    return true;
  }

  // An algorithm that takes operands wherever they lie, and no more workspace than the first: chosen when first needed.
  Status unaligned(const LtAlgorithm*& algorithm) const {
    const std::scoped_lock lock(m_mutex);
    if (!m_unaligned) {
      const uint32_t bytes =
          std::min({elementBytes(m_description.a), elementBytes(m_description.b), elementBytes(m_description.y)});
      std::vector<LtAlgorithm> found;
      if (Status failure = m_plan.algorithms(m_lt, m_handle, bytes, kSearched, found); !failure.ok()) return failure;
      const auto fits = std::find_if(found.begin(), found.end(), [&](const LtAlgorithm& each) {
        return each.workspaceBytes <= m_algorithm.workspaceBytes;
      });
      if (fits == found.end())
        return {StatusCode::kOther, "cuBLASLt has no algorithm for operands that do not lie on multiples of " +
                                        std::to_string(kAligned) + " bytes"};
      m_unaligned = *fits;
    }
    algorithm = &*m_unaligned;
    return {};
  }

  Status enqueue(const LtOperands& o, const LtAlgorithm& algorithm, void* workspace, Stream stream) const {
    cublasLtMatmulDescOpaque_t product = m_plan.product;  // a copy: the bias belongs to the call
    if (o.bias != nullptr) {
      if (Status failure =
              ltStatus(m_lt, m_lt.setProduct(&product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &o.bias, sizeof(o.bias)),
                       "cublasLt bias");
          !failure.ok())
        return failure;
    }
    const cublasStatus_t status = m_lt.matmul(
        m_handle, &product, &m_plan.alpha, o.b, layoutOf(m_plan.first), o.a, layoutOf(m_plan.second), &m_plan.beta,
        o.residual == nullptr ? o.y : o.residual, layoutOf(m_plan.result), o.y, layoutOf(m_plan.result),
        &algorithm.algorithm, workspace, algorithm.workspaceBytes, reinterpret_cast<cudaStream_t>(stream));
    return ltStatus(m_lt, status, "cublasLtMatmul (" + m_name + ")");
  }

  void name() {
    int32_t id = 0, split = 1;
    uint32_t tile = 0, stages = 0;
    const auto fact = [&](cublasLtMatmulAlgoConfigAttributes_t which, auto& value) {
      size_t written = 0;
      m_lt.algorithmFact(&m_algorithm.algorithm, which, &value, sizeof(value), &written);
    };
    fact(CUBLASLT_ALGO_CONFIG_ID, id);
    fact(CUBLASLT_ALGO_CONFIG_TILE_ID, tile);
    fact(CUBLASLT_ALGO_CONFIG_STAGES_ID, stages);
    fact(CUBLASLT_ALGO_CONFIG_SPLITK_NUM, split);
    m_name = "cublasLt algorithm " + std::to_string(id) + ", tile " + std::to_string(tile) + ", stages " +
             std::to_string(stages) + (split > 1 ? ", split " + std::to_string(split) : "");
  }

  // Runs every algorithm on memory of its own and sorts them by time. Whatever fails on the way leaves the heuristic's
  // order.
  void fastestFirst(DeviceBackend& backend, std::vector<LtAlgorithm>& found) const;

  const LtLibrary& m_lt;
  cublasLtHandle_t m_handle;
  MatmulDescription m_description;
  int m_device;
  LtPlan m_plan;
  LtAlgorithm m_algorithm;
  std::string m_name;
  mutable std::mutex m_mutex;
  mutable std::optional<LtAlgorithm> m_unaligned;
};

// What a search needs of the device, given back at its end.
class Bench {
 public:
  explicit Bench(DeviceBackend& backend) : m_backend(backend) {
    m_good =
        backend.makeStream(m_stream).ok() && backend.makeEvent(true, m_from).ok() && backend.makeEvent(true, m_to).ok();
  }
  ~Bench() {
    for (void* each : m_blocks)
      m_backend.release(each, m_stream);
    if (m_stream != nullptr) m_backend.synchronize(m_stream);
    if (m_from != nullptr) m_backend.endEvent(m_from);
    if (m_to != nullptr) m_backend.endEvent(m_to);
    if (m_stream != nullptr) m_backend.endStream(m_stream);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void* block(size_t sizeBytes) {
    void* data = nullptr;
    m_good = m_good && m_backend.allocate(sizeBytes, m_stream, data).ok() &&
             m_backend.fill(data, 0, sizeBytes, m_stream).ok();
    if (data != nullptr) m_blocks.push_back(data);
    return data;
  }
  bool good() const { return m_good; }
  Stream stream() const { return m_stream; }

  // The best of some runs; the largest number there is when one fails.
  template <typename Run>
  int64_t time(Run run) {
    int64_t best = std::numeric_limits<int64_t>::max(), ns = 0;
    if (run()) return best;  // the first loads the kernel
    for (int i = 0; i < kTimedRuns; ++i) {
      if (!m_backend.record(m_from, m_stream).ok() || run() || !m_backend.record(m_to, m_stream).ok() ||
          !m_backend.synchronize(m_to).ok() || !m_backend.elapsed(m_from, m_to, ns).ok())
        return std::numeric_limits<int64_t>::max();
      best = std::min(best, ns);
    }
    return best;
  }

 private:
  DeviceBackend& m_backend;
  Stream m_stream = nullptr;
  Event m_from = nullptr, m_to = nullptr;
  std::vector<void*> m_blocks;
  bool m_good = false;
};

void LtMatmul::fastestFirst(DeviceBackend& backend, std::vector<LtAlgorithm>& found) const {
  Bench bench(backend);
  const auto bytes = [&](const StoredMatrix& matrix, ElementType type) {
    return static_cast<size_t>(matrix.elements(m_description.batch)) * elementBytes(type);
  };
  LtOperands operands{.a = bench.block(bytes(m_plan.layout.second, m_description.a)),
                      .b = bench.block(bytes(m_plan.layout.first, m_description.b)),
                      .y = bench.block(bytes(m_plan.layout.result, m_description.y))};
  if (m_description.epilogue.bias)
    operands.bias = bench.block(static_cast<size_t>(m_description.n) * elementBytes(m_description.bias));
  if (m_description.epilogue.residual) operands.residual = operands.y;
  void* const workspace = bench.block(kLtWorkspaceBytes);
  if (!bench.good()) return;
  std::vector<std::pair<int64_t, size_t>> times;
  for (size_t i = 0; i < found.size(); ++i)
    times.emplace_back(bench.time([&] { return !enqueue(operands, found[i], workspace, bench.stream()).ok(); }), i);
  std::sort(times.begin(), times.end());
  std::vector<LtAlgorithm> sorted;
  for (const auto& [ns, i] : times)
    sorted.push_back(found[i]);
  found = std::move(sorted);
}

}  // namespace

std::string refuseLtMatmul(const MatmulDescription& d) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (d.m < 1 || d.n < 1 || d.k < 1 || d.batch < 1) return "cuBLASLt has no empty products";
  if (d.batch > kMost) return "cuBLASLt has no product of so many matrices (" + std::to_string(d.batch) + ")";
  const bool floating = d.a == ElementType::kFloat || d.a == ElementType::kDouble || d.a == ElementType::kFloat16 ||
                        d.a == ElementType::kBfloat16;
  if (d.a != d.b || !(floating || d.a == ElementType::kInt8))
    return "cuBLASLt has no product of " + std::string(elementTypeName(d.a)) + " and " +
           std::string(elementTypeName(d.b));
  const bool sixteen = d.a == ElementType::kFloat16 || d.a == ElementType::kBfloat16;
  const bool result =
      d.a == ElementType::kInt8 ? d.y == ElementType::kInt32 : d.y == d.a || (sixteen && d.y == ElementType::kFloat);
  if (!result)
    return "cuBLASLt makes no " + std::string(elementTypeName(d.y)) + " of " + std::string(elementTypeName(d.a));
  const Epilogue& e = d.epilogue;
  if (d.a == ElementType::kInt8 && (d.alpha != 1 || e.bias || e.activation != Activation::kNone))
    return "cuBLASLt's integer products have no scale, bias or activation";
  if (d.a == ElementType::kDouble && (e.bias || e.activation != Activation::kNone))
    return "cuBLASLt's products of doubles have no bias or activation";
  if (e.activation != Activation::kNone && e.activation != Activation::kRelu && e.activation != Activation::kGeluTanh)
    return "cuBLASLt follows a product with relu or the tanh form of gelu only";
  if (e.bias && d.bias != d.y) return "cuBLASLt wants a bias of the result's type";
  return {};
}

Status makeLtMatmul(const LtDevice& device, const MatmulDescription& description, ArtifactStore& store,
                    std::unique_ptr<Operation>& operation) {
  if (const std::string refused = refuseLtMatmul(description); !refused.empty()) return Status::unsupported(refused);
  const LtLibrary* lt = nullptr;
  if (Status failure = ltLibrary(lt); !failure.ok()) return failure;
  cublasLtHandle_t handle = nullptr;
  const int index = device.backend->facts().index;
  if (Status failure = ltHandle(*lt, index, handle); !failure.ok()) return failure;
  auto made = std::make_unique<LtMatmul>(*lt, handle, description, index);
  if (Status failure = made->prepare(device, store); !failure.ok()) return failure;
  operation = std::move(made);
  return {};
}

}  // namespace cutaway::cuda
