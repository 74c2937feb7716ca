#include "sweep/runners/model_pack.h"

#include <cerrno>
#include <cstdlib>

#include "sweep/plan/model_hash.h"
#include "sweep/runners/child_process.h"

#include "engine/base/write_file.h"

namespace cutaway::sweep {

namespace {

constexpr double kLongestSeconds = 3600;
constexpr size_t kNameDigits = 16;

}  // namespace

Result<std::filesystem::path> unpackModels(const std::filesystem::path& pack, const SweepFolder& folder) {
  CUTAWAY_TRY(const std::string hash, hashFile(pack));
  const std::filesystem::path target =
      folder.packs() / fmt::format("{}-{}", pack.filename().string(), hash.substr(0, kNameDigits));
  std::error_code error;
  if (std::filesystem::is_directory(target, error)) return target;
  std::filesystem::create_directories(folder.packs(), error);
  if (error) return fail(writeFailure(folder.packs(), error.value(), 0));
  std::string partial = target.string() + ".XXXXXX";
  if (mkdtemp(partial.data()) == nullptr) return fail(writeFailure(target, errno, 0));
  const Result<std::string> said = outputOf(
      {"tar", "--extract", "--force-local", "--no-same-owner", "--file", pack.string(), "--directory", partial},
      kLongestSeconds, TellingLine::kFirst);
  if (said) std::filesystem::rename(partial, target, error);
  std::error_code ignored;
  std::filesystem::remove_all(partial, ignored);
  if (!said) return fail(ErrorCode::kFail, "the pack '{}' cannot be unpacked: {}", pack.string(), said.error().message);
  // Another run may have been first.
  if (error && !std::filesystem::is_directory(target, ignored)) return fail(writeFailure(target, error.value(), 0));
  return target;
}

}  // namespace cutaway::sweep
