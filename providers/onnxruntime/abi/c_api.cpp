#include "providers/onnxruntime/abi/c_api.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "engine/base/opened_library.h"

namespace cutaway::onnxruntime {

namespace {

// The types below 24 have the same numbers.
struct ElementPair {
  int32_t onnx;
  int32_t library;
};
constexpr std::array<ElementPair, 3> kOtherNumbers{{{24, 26}, {25, 24}, {26, 25}}};  // float8e8m0, uint2, int2

}  // namespace

Result<CApi> CApi::open(const std::string& path) {
  const OpenedLibrary library = openLibraryFile(path);
  if (!library) return fail(ErrorCode::kEpFail, "{} cannot be opened: {}", path, library.reason);
  const auto entry = reinterpret_cast<abi::Entry>(library.address(abi::kEntry));
  if (entry == nullptr)
    return fail(ErrorCode::kEpFail, "{} is not ONNX Runtime: it has no function {}", path, abi::kEntry);
  const abi::ApiBase* const base = entry();
  const char* const version = base == nullptr ? nullptr : base->version();
  unsigned major = 0;
  unsigned minor = 0;
  if (version == nullptr || std::sscanf(version, "%u.%u", &major, &minor) != 2)
    return fail(ErrorCode::kEpFail, "{} does not say which version of ONNX Runtime it is", path);
  if (major != 1 || minor < abi::kLeastVersion)
    return fail(ErrorCode::kEpFail, "{} is ONNX Runtime {}, and at least 1.{} is needed", path, version,
                abi::kLeastVersion);
  CApi api;
  api.m_version = std::min<uint32_t>(minor, abi::kNewestVersion);
  api.m_libraryVersion = version;
  api.m_base = base;
  api.m_table = base->tableOf(api.m_version);
  if (api.m_table == nullptr)
    return fail(ErrorCode::kEpFail, "{} is ONNX Runtime {} and gives no functions of version {}", path, version,
                api.m_version);
  return api;
}

tl::unexpected<Error> CApi::taken(abi::Status* status) const {
  const int32_t code = at(abi::kGetErrorCode)(status);
  const char* const message = at(abi::kGetErrorMessage)(status);
  Error error{.code = code >= 1 && code <= 15 ? static_cast<ErrorCode>(code) : ErrorCode::kFail,
              .message = message == nullptr ? "no message" : message,
              .where = {}};
  at(abi::kReleaseStatus)(status);
  return tl::unexpected<Error>(std::move(error));
}

tl::unexpected<Error> CApi::tooOld(const char* name, int since) const {
  return fail(ErrorCode::kNotImplemented, "ONNX Runtime {} has no {}, which came with 1.{}", m_libraryVersion, name,
              since);
}

int32_t libraryElement(int32_t onnxElement) {
  const auto* const pair = std::ranges::find(kOtherNumbers, onnxElement, &ElementPair::onnx);
  return pair == kOtherNumbers.end() ? onnxElement : pair->library;
}

int32_t onnxElement(int32_t libraryElement) {
  const auto* const pair = std::ranges::find(kOtherNumbers, libraryElement, &ElementPair::library);
  return pair == kOtherNumbers.end() ? libraryElement : pair->onnx;
}

}  // namespace cutaway::onnxruntime
