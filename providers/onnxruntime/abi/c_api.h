#pragma once
// The opened library's functions, each behind the version that brought it; what they give, owned.
//
// Thread rule: CApi is immutable once opened; functions follow the library's own rules. Example:
//   CUTAWAY_TRY(const CApi api, CApi::open(path));
//   OwnedSessionOptions options(api);
//   CUTAWAY_CHECK(api.check(abi::kCreateSessionOptions, options.out()));

#include <memory>
#include <string>

#include "engine/base/result.h"
#include "providers/onnxruntime/abi/c_interface.h"

namespace cutaway::onnxruntime {

class CApi {
 public:
  // EP_FAIL: not there, no library, no ONNX Runtime, or older than 1.24; the message says which. The library stays
  // open for the process. ORT_DISABLE_TELEMETRY must have been set before (telemetry.h).
  static Result<CApi> open(const std::string& path);

  uint32_t version() const { return m_version; }  // of the interface: 31 for 1.31.1
  const std::string& libraryVersion() const { return m_libraryVersion; }

  // For those that hand the library's functions on: the base table, and as many slots as version() has.
  const abi::ApiBase* base() const { return m_base; }
  const void* const* table() const { return m_table; }

  template <typename Function>
  bool has(const abi::Slot<Function>& slot) const {
    return slot.since <= m_version;
  }
  // For functions that cannot fail. Only with has(), or since kLeastVersion.
  template <typename Function>
  Function* at(const abi::Slot<Function>& slot) const {
    return reinterpret_cast<Function*>(const_cast<void*>(m_table[slot.index]));
  }
  // Calls a function that can fail; NOT_IMPLEMENTED where the library is too old to have it. Otherwise the library's
  // code and words.
  template <typename Function, typename... Arguments>
  Result<void> check(const abi::Slot<Function>& slot, Arguments... arguments) const {
    if (!has(slot)) return tooOld(slot.name, slot.since);
    return checked(at(slot)(arguments...));
  }
  // What a function of another of the library's tables gave.
  Result<void> checked(abi::Status* status) const {
    if (status == nullptr) return {};
    return taken(status);
  }

 private:
  tl::unexpected<Error> taken(abi::Status* status) const;
  tl::unexpected<Error> tooOld(const char* name, int since) const;

  const abi::ApiBase* m_base = nullptr;
  const void* const* m_table = nullptr;
  uint32_t m_version = 0;
  std::string m_libraryVersion;
};

// Something of the library's that is released by one of its functions.
template <typename T, const abi::Slot<void(T*)>& Release>
class Owned {
 public:
  explicit Owned(const CApi& api) : m_api(&api) {}
  Owned(Owned&& other) noexcept : m_api(other.m_api), m_item(std::exchange(other.m_item, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(m_api, other.m_api);
    std::swap(m_item, other.m_item);
    return *this;
  }
  ~Owned() { reset(); }
  T* get() const { return m_item; }
  T** out() {
    reset();
    return &m_item;
  }
  void reset() {
    if (m_item != nullptr) m_api->at(Release)(m_item);
    m_item = nullptr;
  }

 private:
  const CApi* m_api;
  T* m_item = nullptr;
};
using OwnedEnvironment = Owned<abi::Environment, abi::kReleaseEnvironment>;
using OwnedSession = Owned<abi::Session, abi::kReleaseSession>;
using OwnedSessionOptions = Owned<abi::SessionOptions, abi::kReleaseSessionOptions>;
using OwnedRunOptions = Owned<abi::RunOptions, abi::kReleaseRunOptions>;
using OwnedValue = Owned<abi::Value, abi::kReleaseValue>;
using OwnedMemoryInfo = Owned<abi::MemoryInfo, abi::kReleaseMemoryInfo>;
using OwnedTypeInfo = Owned<abi::TypeInfo, abi::kReleaseTypeInfo>;
using OwnedTensorInfo = Owned<abi::TensorInfo, abi::kReleaseTensorInfo>;
using OwnedAllocator = Owned<abi::Allocator, abi::kReleaseAllocator>;
using OwnedPairs = Owned<abi::KeyValuePairs, abi::kReleasePairs>;
using OwnedCudaOptions = Owned<abi::CudaOptions, abi::kReleaseCudaOptions>;
using OwnedTensorrtOptions = Owned<abi::TensorrtOptions, abi::kReleaseTensorrtOptions>;

// Numbers of element types: those of ONNX's TensorProto.DataType here, those of the library there.
int32_t libraryElement(int32_t onnxElement);
int32_t onnxElement(int32_t libraryElement);

}  // namespace cutaway::onnxruntime
