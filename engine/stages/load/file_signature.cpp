#include "engine/stages/load/file_signature.h"

#include <algorithm>
#include <array>

namespace cutaway::load {

namespace {

using namespace std::string_view_literals;

struct Signature {
  size_t offset;
  std::string_view bytes;
  std::string_view meaning;
};

// Beginnings of files that people open by mistake. The longer and rarer ones first.
constexpr std::array kSignatures = {
    Signature{0, "version https://git-lfs"sv,
              "a Git-LFS pointer, not the model: fetch the real file with `git lfs pull`"},
    Signature{0, "version https://hawser"sv,
              "a Git-LFS pointer, not the model: fetch the real file with `git lfs pull`"},
    Signature{4, "ODTC"sv,
              "a training checkpoint of onnxruntime: it has weights but no graph; open the .onnx or .ort model that is "
              "trained with it"},
    Signature{4, "TFL3"sv, "a TensorFlow Lite model: convert it to ONNX first (tf2onnx)"},
    Signature{0, "PK\x03\x04"sv,
              "a zip archive (a PyTorch .pt file, a .npz file or a packed model): export or unpack it first"},
    Signature{0, "\x89HDF\r\n"sv, "an HDF5 file (a Keras model): convert it to ONNX first (tf2onnx)"},
    Signature{0, "\x89PNG"sv, "a PNG picture"},
    Signature{0, "\xff\xd8\xff"sv, "a JPEG picture"},
    Signature{0, "GIF8"sv, "a GIF picture"},
    Signature{0, "%PDF"sv, "a PDF document"},
    Signature{0, "\x1f\x8b"sv, "a gzip archive: unpack it first"},
    Signature{0,
              "\xfd"
              "7zXZ"sv,
              "an xz archive: unpack it first"},
    Signature{0, "BZh"sv, "a bzip2 archive: unpack it first"},
    Signature{0, "7z\xbc\xaf"sv, "a 7-Zip archive: unpack it first"},
    Signature{0, "GGUF"sv, "a GGUF model (llama.cpp): it has no graph that could be read"},
    Signature{0,
              "\x7f"
              "ELF"sv,
              "a program or library"},
    Signature{0, "MZ"sv, "a Windows program or library"},
    Signature{0, "\x93NUMPY"sv, "a NumPy array (.npy), not a model"},
    Signature{0, "\x80\x02"sv, "a Python pickle (an old PyTorch file): export the model with torch.onnx first"},
    Signature{0, "\x80\x03"sv, "a Python pickle: export the model to ONNX first"},
    Signature{0, "\x80\x04"sv, "a Python pickle: export the model to ONNX first"},
    Signature{0, "\x80\x05"sv, "a Python pickle: export the model to ONNX first"},
};

bool startsWithIgnoringCase(std::string_view text, std::string_view beginning) {
  return text.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), text.begin(),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); });
}

}  // namespace

bool looksLikeText(ByteSpan bytes) {
  const std::string_view text = textOf(bytes.subspan(0, std::min<size_t>(bytes.size(), 512)));
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 || byte == '\n' || byte == '\r' || byte == '\t';
  });
}

std::optional<std::string> foreignSignature(ByteSpan bytes) {
  const std::string_view text = textOf(bytes);
  for (const Signature& signature : kSignatures) {
    if (text.size() >= signature.offset + signature.bytes.size() &&
        text.substr(signature.offset, signature.bytes.size()) == signature.bytes) {
      return fmt::format("this is {}", signature.meaning);
    }
  }
  // safetensors: eight bytes of header length, then JSON.
  if (text.size() > 9 && text[8] == '{' && text.substr(6, 2) == "\0\0"sv)
    return "this is a safetensors file: it has weights but no graph";
  if (!looksLikeText(bytes)) return std::nullopt;
  const size_t start = text.find_first_not_of(" \t\r\n");
  const std::string_view body = start == std::string_view::npos ? std::string_view() : text.substr(start);
  if (startsWithIgnoringCase(body, "<!doctype html") || startsWithIgnoringCase(body, "<html"))
    return "this is a web page (HTML), not a model: the download gave a page instead of the file";
  if (startsWithIgnoringCase(body, "<?xml") || startsWithIgnoringCase(body, "<net"))
    return "this is an XML file (an OpenVINO model?), not an ONNX model";
  if (!body.empty() && (body.front() == '{' || body.front() == '[')) return "this is a JSON file, not an ONNX model";
  if (body.find("ir_version") != std::string_view::npos && body.find("graph") != std::string_view::npos)
    return "this is an ONNX model as text: give the file the extension .textproto";
  return std::nullopt;
}

}  // namespace cutaway::load
