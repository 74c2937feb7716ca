#include "providers/onnxruntime/plugin/profile_files.h"

#include <algorithm>
#include <cstdlib>

#include "engine/base/mapped_file.h"

namespace cutaway::onnxruntime {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLevel = "profiling_level";
constexpr std::string_view kFile = "profiling_file_path";

fs::path folderOfOurs() {
  std::error_code problem;
  fs::path folder = fs::temp_directory_path(problem);
  if (problem) folder = "/tmp";
  std::string text = (folder / "cutaway-profile-XXXXXX").string();
  return mkdtemp(text.data()) == nullptr ? fs::path() : fs::path(text);
}

template <typename Options>
auto optionOf(Options& options, std::string_view name) {
  return std::ranges::find(options, name, [](const auto& option) { return std::string_view(option.first); });
}

// Errors say why there are no figures: what could not be read, or nothing has been written yet.
Result<std::vector<OwnFigure>> readFile(const ProfileFile& file, const std::function<NodeWords(NodeId)>& wordsOf) {
  CUTAWAY_TRY(const auto mapped, MappedFile::open(file.path));
  const std::string_view text(reinterpret_cast<const char*>(mapped->bytes().data()), mapped->bytes().size());
  return readQnnProfile(text, std::min<size_t>(file.before, text.size()), wordsOf);
}

}  // namespace

ProfileFiles::~ProfileFiles() {
  m_entries.clear();
  std::error_code ignored;
  if (!m_folder.empty()) fs::remove_all(m_folder, ignored);
}

bool ProfileFiles::isWanted(const SessionSettings& settings) {
  const AppendedProvider& provider = settings.providers.front();
  if (provider.plugin.registration != "QNNExecutionProvider") return false;
  const auto level = optionOf(provider.options, kLevel);
  return level != provider.options.end() && level->second != "off";
}

std::optional<ProfileFile> ProfileFiles::next(SessionSettings& settings) {
  if (!isWanted(settings)) return std::nullopt;
  AppendedProvider& provider = settings.providers.front();
  ++m_count;
  fs::path file;
  if (const auto named = optionOf(provider.options, kFile); named != provider.options.end()) {
    file = named->second;
    if (m_count > 1)
      file.replace_filename(fmt::format("{}_{}{}", file.stem().string(), m_count, file.extension().string()));
    named->second = file.string();
    std::error_code isNew;
    const uintmax_t size = fs::file_size(file, isNew);
    return ProfileFile{file, isNew ? 0 : static_cast<size_t>(size)};
  }
  if (m_folder.empty()) m_folder = folderOfOurs();
  if (m_folder.empty()) return std::nullopt;
  file = m_folder / fmt::format("group_{}.csv", m_count);
  provider.options.emplace_back(kFile, file.string());
  return ProfileFile{file, 0};
}

void ProfileFiles::show(const ProfileFile& file, OwnProfile profile, std::function<NodeWords(NodeId)> wordsOf) {
  m_entries.push_back(OwnProfiles::add([file, profile = std::move(profile), wordsOf = std::move(wordsOf)] {
    OwnProfile read = profile;
    Result<std::vector<OwnFigure>> figures = readFile(file, wordsOf);
    if (figures)
      read.figures = *std::move(figures);
    else
      read.problem = figures.error().message;
    return read;
  }));
}

}  // namespace cutaway::onnxruntime
