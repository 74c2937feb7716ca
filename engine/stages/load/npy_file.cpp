#include "engine/stages/load/npy_file.h"

#include <array>
#include <charconv>
#include <cstring>

#include "engine/base/checked_math.h"
#include "engine/tensor/packed_bits.h"

namespace cutaway::load {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kMagic = "\x93NUMPY"sv;
constexpr size_t kHeaderAlignment = 64;

struct Descriptor {
  std::string_view text;
  ElementType type;
};

constexpr std::array kDescriptors = {
    Descriptor{"<f4", ElementType::kFloat},     Descriptor{"<f8", ElementType::kDouble},
    Descriptor{"<f2", ElementType::kFloat16},   Descriptor{"|i1", ElementType::kInt8},
    Descriptor{"|u1", ElementType::kUint8},     Descriptor{"<i2", ElementType::kInt16},
    Descriptor{"<u2", ElementType::kUint16},    Descriptor{"<i4", ElementType::kInt32},
    Descriptor{"<u4", ElementType::kUint32},    Descriptor{"<i8", ElementType::kInt64},
    Descriptor{"<u8", ElementType::kUint64},    Descriptor{"|b1", ElementType::kBool},
    Descriptor{"<c8", ElementType::kComplex64}, Descriptor{"<c16", ElementType::kComplex128},
};

struct Header {
  std::string descriptor;
  bool fortran = false;
  std::vector<int64_t> dims;
  size_t dataOffset = 0;
};

tl::unexpected<Error> malformed(std::string_view what) {
  return fail(ErrorCode::kInvalidArgument, "this .npy file is damaged: {}", what);
}

// The text after 'key': in the header's dictionary.
std::string_view valueOf(std::string_view dictionary, std::string_view key) {
  const size_t at = dictionary.find(fmt::format("'{}'", key));
  if (at == std::string_view::npos) return {};
  const size_t colon = dictionary.find(':', at);
  if (colon == std::string_view::npos) return {};
  const std::string_view rest = dictionary.substr(colon + 1);
  const size_t start = rest.find_first_not_of(' ');
  return start == std::string_view::npos ? std::string_view() : rest.substr(start);
}

Result<std::vector<int64_t>> parseDims(std::string_view text) {
  const size_t end = text.find(')');
  if (text.empty() || text.front() != '(' || end == std::string_view::npos)
    return malformed("its shape cannot be read");
  text = text.substr(1, end - 1);
  std::vector<int64_t> dims;
  while (true) {
    const size_t start = text.find_first_not_of(" ,");
    if (start == std::string_view::npos) return dims;
    text.remove_prefix(start);
    int64_t dim = 0;
    const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), dim);
    if (error != std::errc() || dim < 0) return malformed("its shape cannot be read");
    dims.push_back(dim);
    text.remove_prefix(static_cast<size_t>(last - text.data()));
    if (text.starts_with('L')) text.remove_prefix(1);  // Python 2 wrote 3L
  }
}

Result<Header> parseHeader(ByteSpan bytes) {
  const std::string_view text = textOf(bytes);
  if (text.size() < 10) return malformed("it is cut short");
  const auto byte = [&](size_t at) { return static_cast<size_t>(static_cast<unsigned char>(text[at])); };
  const bool longHeader = byte(6) >= 2;
  if (longHeader && text.size() < 12) return malformed("it is cut short");
  const size_t length = longHeader ? byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24 : byte(8) | byte(9) << 8;
  const size_t start = longHeader ? 12 : 10;
  if (length > text.size() - start) return malformed("it is cut short");
  const std::string_view dictionary = text.substr(start, length);
  Header header;
  header.dataOffset = start + length;
  const std::string_view descriptor = valueOf(dictionary, "descr");
  if (descriptor.size() < 3 || (descriptor.front() != '\'' && descriptor.front() != '"'))
    return fail(ErrorCode::kInvalidArgument, "arrays with fields are not tensors");
  header.descriptor = std::string(descriptor.substr(1, descriptor.find(descriptor.front(), 1) - 1));
  header.fortran = valueOf(dictionary, "fortran_order").starts_with("True");
  CUTAWAY_TRY(header.dims, parseDims(valueOf(dictionary, "shape")));
  return header;
}

// Copies elements from Fortran order (first axis fastest) to C order.
void copyFortran(const std::byte* from, std::byte* to, std::span<const int64_t> dims, int64_t width) {
  const int64_t count = elementCount(dims);
  std::vector<int64_t> index(dims.size());
  for (int64_t i = 0; i < count; ++i) {
    int64_t source = 0;
    for (size_t axis = dims.size(); axis-- > 0;)
      source = source * dims[axis] + index[axis];
    std::memcpy(to + i * width, from + source * width, width);
    for (size_t axis = dims.size(); axis-- > 0;) {
      if (++index[axis] < dims[axis]) break;
      index[axis] = 0;
    }
  }
}

void appendUtf8(uint32_t code, std::string& text) {
  if (code < 0x80) {
    text.push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    text.push_back(static_cast<char>(0xc0 | code >> 6));
    text.push_back(static_cast<char>(0x80 | (code & 0x3f)));
  } else if (code < 0x10000) {
    text.push_back(static_cast<char>(0xe0 | code >> 12));
    text.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3f)));
    text.push_back(static_cast<char>(0x80 | (code & 0x3f)));
  } else {
    text.push_back(static_cast<char>(0xf0 | (code >> 18 & 0x07)));
    text.push_back(static_cast<char>(0x80 | (code >> 12 & 0x3f)));
    text.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3f)));
    text.push_back(static_cast<char>(0x80 | (code & 0x3f)));
  }
}

// <U7: seven UTF-32 characters an element, padded with zeros; |S7: seven bytes.
Result<Tensor> readStrings(const Header& header, ByteSpan data) {
  const bool wide = header.descriptor[1] == 'U';
  int64_t length = 0;
  const std::string_view digits = std::string_view(header.descriptor).substr(2);
  if (std::from_chars(digits.data(), digits.data() + digits.size(), length).ec != std::errc() || length < 0 ||
      header.fortran)
    return malformed("its type cannot be read");
  CUTAWAY_TRY(const int64_t width, checkedMultiply(length, wide ? 4 : 1));
  CUTAWAY_TRY(const int64_t tensorBytes, byteSize(ElementType::kString, header.dims));
  const int64_t count = tensorBytes / static_cast<int64_t>(sizeof(std::string));
  CUTAWAY_TRY(const int64_t needed, checkedMultiply(count, width));
  if (needed != static_cast<int64_t>(data.size()) || (width == 0 && count > (1 << 20)))
    return malformed("it is cut short or too long");
  CUTAWAY_TRY(Tensor tensor, Tensor::create(ElementType::kString, header.dims));
  auto strings = tensor.span<std::string>();
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t c = 0; c < length; ++c) {
      uint32_t code = 0;
      std::memcpy(&code, data.data() + i * width + c * (wide ? 4 : 1), wide ? 4 : 1);
      if (code == 0) break;
      if (wide)
        appendUtf8(code, strings[i]);
      else
        strings[i].push_back(static_cast<char>(code));
    }
  }
  return tensor;
}

std::string headerText(std::string_view descriptor, std::span<const int64_t> dims) {
  std::string shape;
  for (const int64_t dim : dims)
    shape += fmt::format("{}, ", dim);
  if (dims.size() > 1) shape.resize(shape.size() - 2);
  if (dims.size() == 1) shape.resize(shape.size() - 1);
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descriptor, shape);
  // Version 2 of the format, whose length has four bytes, where two do not reach: thousands of axes.
  const auto unpaddedFor = [&](size_t lengthBytes) { return kMagic.size() + 2 + lengthBytes + dictionary.size() + 1; };
  const size_t lengthBytes = unpaddedFor(2) + kHeaderAlignment > 0xffff ? 4 : 2;
  dictionary.append((kHeaderAlignment - unpaddedFor(lengthBytes) % kHeaderAlignment) % kHeaderAlignment, ' ');
  dictionary.push_back('\n');
  std::string header(kMagic);
  header += lengthBytes == 4 ? '\2' : '\1';
  header += '\0';
  for (size_t i = 0; i < lengthBytes; ++i)
    header += static_cast<char>(dictionary.size() >> (8 * i) & 0xff);
  return header + dictionary;
}

template <typename T>
void appendValue(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

using NpyWriter = std::function<Result<void>(std::span<const std::byte>)>;

Result<void> writeText(const NpyWriter& write, std::string_view text) {
  return write(std::as_bytes(std::span(text.data(), text.size())));
}

// One element of a type that NumPy does not have.
void appendWidened(std::string& piece, const Tensor& tensor, int64_t index) {
  const ElementType type = tensor.type();
  const auto* bytes = static_cast<const uint8_t*>(tensor.data());
  if (type == ElementType::kBfloat16)
    return appendValue(piece, tensor.span<Bfloat16>()[static_cast<size_t>(index)].toFloat());
  if (!isSubByte(type)) return appendValue(piece, narrowToFloat(type, bytes[index]));
  const uint8_t bits = packedBits(bytes, index, bitsOf(type));
  if (!isInteger(type))
    appendValue(piece, narrowToFloat(type, bits));
  else if (type == ElementType::kInt4 || type == ElementType::kInt2)
    appendValue(piece, signExtend(bits, bitsOf(type)));
  else
    appendValue(piece, bits);
}

Result<void> writeWidened(const Tensor& tensor, const NpyWriter& write) {
  constexpr size_t kPiece = 1 << 20;
  const ElementType type = tensor.type();
  const bool isSigned = type == ElementType::kInt4 || type == ElementType::kInt2;
  std::string piece = headerText(!isInteger(type) ? "<f4" : isSigned ? "|i1" : "|u1", tensor.dims());
  const int64_t count = tensor.elementCount();
  for (int64_t i = 0; i < count; ++i) {
    appendWidened(piece, tensor, i);
    if (piece.size() < kPiece) continue;
    CUTAWAY_CHECK(writeText(write, piece));
    piece.clear();
  }
  return writeText(write, piece);
}

std::u32string decoded(const std::string& text) {
  std::u32string codes;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 1;
    char32_t code = length == 1 ? lead : lead & (0xff >> (length + 1));
    for (size_t k = 1; k < length && i + k < text.size(); ++k)
      code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3f);
    codes.push_back(code);
    i += length;
  }
  return codes;
}

Result<void> writeStrings(const Tensor& tensor, const NpyWriter& write) {
  constexpr size_t kMaxBytes = size_t{1} << 32;
  const auto texts = tensor.span<std::string>();
  size_t longest = 1;
  for (const std::string& each : texts)
    longest = std::max(longest, decoded(each).size());
  if (texts.size() > kMaxBytes / (longest * sizeof(char32_t))) {
    return fail(ErrorCode::kNotImplemented,
                "{} texts, the longest of {} characters, would make a .npy file above 4 GB, because it pads all texts "
                "to the longest",
                texts.size(), longest);
  }
  CUTAWAY_CHECK(writeText(write, headerText(fmt::format("<U{}", longest), tensor.dims())));
  for (const std::string& each : texts) {
    std::u32string codes = decoded(each);
    codes.resize(longest);
    CUTAWAY_CHECK(write(std::as_bytes(std::span(codes.data(), codes.size()))));
  }
  return {};
}

}  // namespace

bool isNpy(ByteSpan bytes) {
  return textOf(bytes).starts_with(kMagic);
}

Result<Tensor> readNpy(ByteSpan bytes) {
  if (!isNpy(bytes)) return fail(ErrorCode::kInvalidArgument, "this is not a .npy file");
  CUTAWAY_TRY(const Header header, parseHeader(bytes));
  const ByteSpan data = bytes.subspan(header.dataOffset);
  if (header.descriptor.size() > 2 && (header.descriptor[1] == 'U' || header.descriptor[1] == 'S'))
    return readStrings(header, data);
  if (header.descriptor.find('O') != std::string::npos)
    return fail(ErrorCode::kInvalidArgument, "pickled Python objects are not read");
  const Descriptor* known = nullptr;
  for (const Descriptor& each : kDescriptors) {
    const bool sameByte = header.descriptor.size() > 1 && each.text[0] == '|' &&
                          each.text.substr(1) == std::string_view(header.descriptor).substr(1);
    if (each.text == header.descriptor || sameByte) known = &each;
  }
  if (known == nullptr)
    return fail(ErrorCode::kInvalidArgument, "the type '{}' of this .npy file is not read", header.descriptor);
  CUTAWAY_TRY(const int64_t sizeBytes, byteSize(known->type, header.dims));
  if (sizeBytes != static_cast<int64_t>(data.size()))
    return malformed(fmt::format("it has {} bytes of data, its shape needs {}", data.size(), sizeBytes));
  CUTAWAY_TRY(Tensor tensor, Tensor::create(known->type, header.dims));
  if (sizeBytes == 0) return tensor;
  if (header.fortran && header.dims.size() > 1)
    copyFortran(data.data(), static_cast<std::byte*>(tensor.mutableData()), header.dims, bitsOf(known->type) / 8);
  else
    std::memcpy(tensor.mutableData(), data.data(), sizeBytes);
  return tensor;
}

Result<void> writeNpyTo(const Tensor& tensor, const std::function<Result<void>(std::span<const std::byte>)>& write) {
  if (tensor.type() == ElementType::kString) return writeStrings(tensor, write);
  for (const Descriptor& each : kDescriptors) {
    if (each.type != tensor.type()) continue;
    CUTAWAY_CHECK(writeText(write, headerText(each.text, tensor.dims())));
    return write(tensor.bytes());
  }
  return writeWidened(tensor, write);
}

Result<std::string> writeNpy(const Tensor& tensor) {
  std::string file;
  CUTAWAY_CHECK(writeNpyTo(tensor, [&](std::span<const std::byte> bytes) -> Result<void> {
    file.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return {};
  }));
  return file;
}

}  // namespace cutaway::load
