// The ELF header as the System V ABI lays it out; <elf.h> names its fields.
#include "providers/onnxruntime/elf_file.h"

#include <cstring>
#include <span>

#include <elf.h>
#include <spdlog/fmt/fmt.h>

#include "engine/base/file_begin.h"
#include "engine/base/mapped_file.h"

namespace cutaway::onnxruntime {

namespace {

#if defined(__x86_64__)
constexpr Elf64_Half kMachine = EM_X86_64;
constexpr const char* kMachineName = "x86-64";
#elif defined(__aarch64__)
constexpr Elf64_Half kMachine = EM_AARCH64;
constexpr const char* kMachineName = "aarch64";
#else
#error "name this machine's number in ELF files"
#endif

std::string machineName(Elf64_Half machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_386:
      return "32-bit x86";
    case EM_AARCH64:
      return "aarch64";
    case EM_ARM:
      return "32-bit ARM";
    case EM_PPC64:
      return "ppc64";
    case EM_RISCV:
      return "RISC-V";
    default:
      return fmt::format("number {}", machine);
  }
}

}  // namespace

std::string libraryProblem(const std::filesystem::path& path) {
  std::error_code problem;
  if (!std::filesystem::exists(path, problem)) return fmt::format("{} is not there", path.string());
  if (!std::filesystem::is_regular_file(path, problem)) return fmt::format("{} is no file", path.string());
  Elf64_Ehdr header{};
  const std::optional<std::string> bytes = fileBegin(path, sizeof header);
  if (!bytes) return fmt::format("{} cannot be read", path.string());
  std::memcpy(&header, bytes->data(), bytes->size());
  if (bytes->size() < sizeof header || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return fmt::format("{} is not a library: it has no ELF header", path.string());
  // Type and machine lie at the same places in files of 32 and 64 bits.
  if (header.e_machine != kMachine || header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
    return fmt::format("{} is made for another architecture: {}, and this is {}", path.string(),
                       machineName(header.e_machine), kMachineName);
  if (header.e_type != ET_DYN)
    return fmt::format("{} is not a library: it is an ELF file of another type", path.string());
  return {};
}

namespace {

// Structs of a file that may say anything: each is there, or it is not read.
template <typename T>
bool readAt(std::span<const std::byte> bytes, uint64_t offset, T& value) {
  if (offset > bytes.size() || sizeof value > bytes.size() - offset) return false;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return true;
}

bool isNamed(std::span<const std::byte> bytes, const Elf64_Shdr& names, uint64_t at, std::string_view name) {
  const uint64_t start = names.sh_offset + at;
  if (at >= names.sh_size || start < at || start > bytes.size() || name.size() >= bytes.size() - start) return false;
  return std::memcmp(bytes.data() + start, name.data(), name.size()) == 0 && bytes[start + name.size()] == std::byte{0};
}

}  // namespace

bool exportsSymbol(const std::filesystem::path& path, std::string_view name) {
  const auto file = MappedFile::open(path);
  if (!file) return false;
  const std::span<const std::byte> bytes = (*file)->bytes();
  Elf64_Ehdr header{};
  if (!readAt(bytes, 0, header)) return false;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section{};
    Elf64_Shdr names{};
    if (!readAt(bytes, header.e_shoff + i * sizeof section, section)) return false;
    if (section.sh_type != SHT_DYNSYM) continue;
    if (!readAt(bytes, header.e_shoff + uint64_t{section.sh_link} * sizeof names, names)) return false;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol{};
      if (!readAt(bytes, section.sh_offset + at, symbol)) return false;
      if (symbol.st_shndx != SHN_UNDEF && isNamed(bytes, names, symbol.st_name, name)) return true;
    }
  }
  return false;
}

}  // namespace cutaway::onnxruntime
