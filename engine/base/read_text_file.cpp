#include "engine/base/read_text_file.h"

#include "engine/base/mapped_file.h"

namespace cutaway {

Result<std::string> readTextFile(const std::filesystem::path& path, const TextFileOptions& options) {
  auto file = MappedFile::open(path);
  if (!file) {
    Error error = std::move(file).error();
    error.message = fmt::format("{} '{}' cannot be read: {}", options.what, path.string(), error.message);
    return fail(std::move(error));
  }
  const auto bytes = (*file)->bytes();
  if (static_cast<int64_t>(bytes.size()) > options.largestBytes)
    return fail(atFile({ErrorCode::kInvalidArgument,
                        fmt::format("{} '{}' has {} bytes; it may have {}", options.what, path.string(), bytes.size(),
                                    options.largestBytes),
                        {}},
                       path.string()));
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace cutaway
