#pragma once
// Errors as values: every fallible function of the engine gives Result<T>.
//
// Thread rule: plain values, no shared state.
// Example:
//   Result<int64_t> parseLength(std::string_view text);
//   Result<void> read() {
//     CUTAWAY_TRY(const int64_t length, parseLength(text));   // returns the error to the caller
//     CUTAWAY_CHECK(seek(length));
//     if (length > limit) return fail(ErrorCode::kInvalidGraph, "length {} is above {}", length, limit);
//     return {};
//   }

#include <string>
#include <string_view>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <tl/expected.hpp>

namespace cutaway {

// Names and numbers are onnxruntime's status codes, so that users can look them up.
enum class ErrorCode {
  kFail = 1,
  kInvalidArgument = 2,
  kNoSuchFile = 3,
  kNoModel = 4,
  kEngineError = 5,
  kRuntimeException = 6,
  kInvalidProtobuf = 7,
  kModelLoaded = 8,
  kNotImplemented = 9,
  kInvalidGraph = 10,
  kEpFail = 11,
  kModelLoadCanceled = 12,
  kModelRequiresCompilation = 13,
  kNotFound = 14,
  kDeviceReset = 15,
};

// "INVALID_GRAPH" for kInvalidGraph, and so on.
std::string_view errorCodeName(ErrorCode code);

// Where in the user's model an error belongs; empty strings are unknown. Filled on the way up.
struct ErrorPlace {
  std::string file;
  std::string node;
  std::string value;
};

struct Error {
  ErrorCode code = ErrorCode::kFail;
  std::string message;
  ErrorPlace where;
  bool byPolicy = false;  // refused because a setting of the user forbids it, not because the model is bad
};

// One line for people: "INVALID_GRAPH: <message> (file 'm.onnx', node 'conv1', value 'x')".
std::string describe(const Error& error);

template <typename T>
using Result = tl::expected<T, Error>;

template <typename... Args>
[[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected<Error>(Error{code, fmt::format(format, std::forward<Args>(args)...), {}});
}

[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

// Adds a place to an error unless a deeper function already named one.
[[nodiscard]] Error atFile(Error error, std::string_view file);
[[nodiscard]] Error atNode(Error error, std::string_view node);
[[nodiscard]] Error atValue(Error error, std::string_view value);

}  // namespace cutaway

#define CUTAWAY_CONCAT_INNER(a, b) a##b
#define CUTAWAY_CONCAT(a, b) CUTAWAY_CONCAT_INNER(a, b)

// CUTAWAY_TRY(declaration, expression): declares from the value, or returns the error to the caller.
#define CUTAWAY_TRY(declaration, ...) \
  CUTAWAY_TRY_INNER(CUTAWAY_CONCAT(cutawayTry, __COUNTER__), declaration, __VA_ARGS__)
#define CUTAWAY_TRY_INNER(name, declaration, ...)                                \
  auto name = (__VA_ARGS__);                                                     \
  if (!name) return ::tl::unexpected<::cutaway::Error>(std::move(name).error()); \
  declaration = *std::move(name)

// CUTAWAY_CHECK(expression): returns the error of a Result<void> to the caller.
#define CUTAWAY_CHECK(...)                                                                         \
  do {                                                                                             \
    auto cutawayCheck = (__VA_ARGS__);                                                             \
    if (!cutawayCheck) return ::tl::unexpected<::cutaway::Error>(std::move(cutawayCheck).error()); \
  } while (false)
