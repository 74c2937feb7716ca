#pragma once
// Tensors of texts in shared memory: all lengths, 8 bytes each, then all bytes.
//
// Thread rule: pure. Example: std::string bytes; appendTexts(texts, bytes); ... if (!readTexts(bytes, texts)) refuse();

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace cutaway::onnxruntime {

inline void appendTexts(std::span<const std::string> texts, std::string& bytes) {
  for (const std::string& text : texts) {
    const uint64_t length = text.size();
    bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  }
  for (const std::string& text : texts)
    bytes += text;
}

// False where the bytes are not exactly so many texts.
inline bool readTexts(std::string_view bytes, std::span<std::string> texts) {
  if (texts.size() > bytes.size() / sizeof(uint64_t)) return texts.empty() && bytes.empty();
  size_t at = texts.size() * sizeof(uint64_t);
  for (size_t i = 0; i < texts.size(); ++i) {
    uint64_t length = 0;
    std::memcpy(&length, bytes.data() + i * sizeof length, sizeof length);
    if (length > bytes.size() - at) return false;
    texts[i].assign(bytes.substr(at, length));
    at += length;
  }
  return at == bytes.size();
}

}  // namespace cutaway::onnxruntime
