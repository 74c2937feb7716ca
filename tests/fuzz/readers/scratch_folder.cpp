#include "tests/fuzz/readers/scratch_folder.h"

#include <cstdio>
#include <string>

#include <unistd.h>

#include "tests/fuzz/driver.h"

namespace cutaway::fuzz {

namespace {

void write(const std::filesystem::path& path, std::string_view bytes) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  require(file != nullptr, "no room in /dev/shm");
  if (!bytes.empty()) std::fwrite(bytes.data(), 1, bytes.size(), file);
  std::fclose(file);
}

class Folder {
 public:
  Folder() {
    std::filesystem::create_directory(m_path);
    std::string numbers;
    for (int i = 0; i < 256; ++i)
      numbers += static_cast<char>(i);
    write(m_path / "w.bin", numbers);
    write(m_path / "empty.bin", "");
    std::filesystem::create_symlink("/etc/hostname", m_path / "outside.bin");
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path = "/dev/shm/cutaway_fuzz_" + std::to_string(getpid());
};

}  // namespace

const std::filesystem::path& scratchFolder() {
  static const Folder folder;
  return folder.path();
}

std::filesystem::path fileInScratch(std::string_view name, std::string_view bytes) {
  std::filesystem::path path = scratchFolder() / name;
  write(path, bytes);
  return path;
}

}  // namespace cutaway::fuzz
