// Compiled kernels as they are kept: length of the source, the source, the machine code.
#include <cstring>

#include "providers/cuda/module/program.h"

namespace cutaway::cuda {
namespace {

// FNV-1a, 64 bits (Fowler, Noll, Vo). Enough to find a file by: what is found is compared with the source.
uint64_t hashOf(const std::string& text) {
  uint64_t hash = 14695981039346656037ULL;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

}  // namespace

std::string cubinKey(const std::string& source, const std::string& architecture, const std::string& compilerVersion) {
  return "nvrtc " + compilerVersion + " " + architecture + " " + std::to_string(source.size()) + " " +
         std::to_string(hashOf(source));
}

std::vector<std::byte> packCubin(const std::string& source, const std::vector<std::byte>& cubin) {
  const uint64_t size = source.size();
  std::vector<std::byte> packed(sizeof(size) + source.size() + cubin.size());
  std::memcpy(packed.data(), &size, sizeof(size));
  std::memcpy(packed.data() + sizeof(size), source.data(), source.size());
  if (!cubin.empty()) std::memcpy(packed.data() + sizeof(size) + source.size(), cubin.data(), cubin.size());
  return packed;
}

bool unpackCubin(const std::vector<std::byte>& packed, const std::string& source, std::vector<std::byte>& cubin) {
  uint64_t size = 0;
  if (packed.size() <= sizeof(size) + source.size()) return false;
  std::memcpy(&size, packed.data(), sizeof(size));
  if (size != source.size() || std::memcmp(packed.data() + sizeof(size), source.data(), source.size()) != 0)
    return false;
  cubin.assign(packed.begin() + static_cast<std::ptrdiff_t>(sizeof(size) + source.size()), packed.end());
  const std::byte elf[] = {std::byte{0x7f}, std::byte{'E'}, std::byte{'L'}, std::byte{'F'}};
  return cubin.size() > sizeof(elf) && std::memcmp(cubin.data(), elf, sizeof(elf)) == 0;
}

}  // namespace cutaway::cuda
