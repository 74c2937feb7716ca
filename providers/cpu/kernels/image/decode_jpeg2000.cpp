// JPEG 2000 through OpenJPEG: JP2 files and bare codestreams, gray, RGB or YCC with any subsampling.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>

#include <openjpeg.h>

#include "providers/cpu/kernels/image/decoded_image.h"

namespace cutaway::cpu::image {
namespace {

struct Source {
  Bytes bytes;
  size_t at = 0;
};

OPJ_SIZE_T onRead(void* to, OPJ_SIZE_T count, void* user) {
  auto& source = *static_cast<Source*>(user);
  const size_t size = std::min<size_t>(count, source.bytes.size() - source.at);
  if (size == 0) return static_cast<OPJ_SIZE_T>(-1);
  std::memcpy(to, source.bytes.data() + source.at, size);
  source.at += size;
  return size;
}

OPJ_OFF_T onSkip(OPJ_OFF_T count, void* user) {
  auto& source = *static_cast<Source*>(user);
  if (count < 0) return -1;
  const size_t size = std::min<size_t>(static_cast<size_t>(count), source.bytes.size() - source.at);
  source.at += size;
  return size == 0 && count > 0 ? -1 : static_cast<OPJ_OFF_T>(size);
}

OPJ_BOOL onSeek(OPJ_OFF_T place, void* user) {
  auto& source = *static_cast<Source*>(user);
  if (place < 0 || static_cast<size_t>(place) > source.bytes.size()) return OPJ_FALSE;
  source.at = static_cast<size_t>(place);
  return OPJ_TRUE;
}

void onMessage(const char*, void*) {}

using Stream = std::unique_ptr<opj_stream_t, decltype(&opj_stream_destroy)>;
using Codec = std::unique_ptr<opj_codec_t, decltype(&opj_destroy_codec)>;
using Picture = std::unique_ptr<opj_image_t, decltype(&opj_image_destroy)>;

struct DestroyInfo {
  void operator()(opj_codestream_info_v2_t* info) const { opj_destroy_cstr_info(&info); }
};
using CodestreamInfo = std::unique_ptr<opj_codestream_info_v2_t, DestroyInfo>;

constexpr uint32_t kMostComponents = 4;
constexpr uint64_t kMostPackets = uint64_t{1} << 24;         // each costs time, if it holds nothing
constexpr uint64_t kBlockBytes = 512, kPrecinctBytes = 256;  // as OpenJPEG 2.5 takes them for each

// Markers, each with the length of what follows, but for the one that starts the codestream.
constexpr uint32_t kCodestream = 0xff4f, kStyle = 0xff52, kStyleOfComponent = 0xff53, kTilePart = 0xff90,
                   kData = 0xff93;
// Those of main headers: capabilities, size, styles, lengths, quantisation, regions, orders, texts and transforms.
constexpr uint32_t kOfMainHeaders[] = {0xff50, 0xff51, kStyle, kStyleOfComponent,
                                       0xff55, 0xff57, 0xff5c, 0xff5d,
                                       0xff5e, 0xff5f, 0xff60, 0xff63,
                                       0xff64, 0xff74, 0xff75, 0xff77,
                                       0xff78};

// Bytes of a file, 0 beyond its end.
class Numbers {
 public:
  explicit Numbers(Bytes bytes) : m_bytes(bytes) {}
  size_t size() const { return m_bytes.size(); }
  uint32_t byte(uint64_t at) const { return at < m_bytes.size() ? m_bytes[at] : 0; }
  uint32_t word(uint64_t at) const { return byte(at) << 8 | byte(at + 1); }
  uint64_t longWord(uint64_t at) const { return uint64_t{word(at)} << 16 | word(at + 2); }

 private:
  Bytes m_bytes;
};

// Where the codestream starts: in a JP2 file within a box.
uint64_t codestreamOf(const Numbers& file) {
  if (file.byte(0) != 0) return 0;
  constexpr uint64_t kBoxOfCodestream = 0x6a703263;  // jp2c
  for (uint64_t at = 0; at + 8 <= file.size();) {
    const bool longer = file.longWord(at) == 1;
    const uint64_t header = longer ? 16 : 8, length = longer ? file.longWord(at + 12) : file.longWord(at);
    if (file.longWord(at + 4) == kBoxOfCodestream) return at + header;
    if (length < header) break;
    at += length;
  }
  return file.size();
}

// Sides of precincts, as powers of two, by resolution. The smallest of all styles in the main header: opj_get_cstr_info
// copies the first few bytes of its own list alone.
struct Precincts {
  std::array<uint32_t, OPJ_J2K_MAXRLVLS> widths{}, heights{};
};

// nullopt: the main header does not end, or holds what nobody knows.
std::optional<Precincts> precinctsOf(Bytes bytes) {
  const Numbers file(bytes);
  Precincts precincts;
  constexpr uint32_t kWhole = 15;
  precincts.widths.fill(kWhole);
  precincts.heights.fill(kWhole);
  uint64_t at = codestreamOf(file);
  if (file.word(at) != kCodestream) return std::nullopt;
  for (at += 2; file.word(at) != kTilePart; at += 2 + uint64_t{file.word(at + 2)}) {
    const uint32_t marker = file.word(at);
    if (std::ranges::find(kOfMainHeaders, marker) == std::end(kOfMainHeaders)) return std::nullopt;
    if (marker != kStyle && marker != kStyleOfComponent) continue;
    const uint64_t end = at + 2 + file.word(at + 2);
    const uint64_t flags = at + (marker == kStyle ? 4 : 5), levels = marker == kStyle ? flags + 5 : flags + 1;
    if ((file.byte(flags) & 1) == 0) continue;
    for (uint64_t i = levels + 5, r = 0; i < end && r < precincts.widths.size(); ++i, ++r) {
      precincts.widths[r] = std::min(precincts.widths[r], file.byte(i) & 15);
      precincts.heights[r] = std::min(precincts.heights[r], file.byte(i) >> 4);
    }
  }
  return precincts;
}

// Whether a tile has a coding style of its own, which the main header does not tell, or a header longer than any that
// makes sense (headers that share their end would be read over and over). Packets hold no markers from
// 0xff90 on, so that every start of a tile's part is found, and nothing that looks like one is lost.
bool tilesHaveStyles(Bytes bytes) {
  constexpr int kMostMarkers = 1000;
  const Numbers file(bytes);
  for (uint64_t start = 0; start + 12 <= file.size(); ++start) {
    if (file.word(start) != kTilePart || file.word(start + 2) != 10) continue;
    int markers = 0;
    for (uint64_t at = start + 12; file.word(at) >= 0xff00 && file.word(at) != kData; at += 2 + file.word(at + 2)) {
      if (file.word(at) == kStyle || file.word(at) == kStyleOfComponent || ++markers > kMostMarkers) return true;
    }
  }
  return false;
}

// What the library takes, and the packets that it looks for: from the main header.
struct Work {
  uint64_t bytes = 0, packets = 0;
};

// How many parts of 2^log2 a line is cut into, wherever the first cut lies.
uint64_t partsOf(uint64_t length, uint32_t log2) {
  return length == 0 ? 0 : (length >> std::min(log2, 63u)) + 2;
}

Work workOf(const opj_image_t& picture, const opj_codestream_info_v2_t& info, const Precincts& precinctSides) {
  Work work;
  const uint64_t tiles = uint64_t{info.tw} * info.th;
  for (uint32_t c = 0; c < picture.numcomps; ++c) {
    const opj_image_comp_t& comp = picture.comps[c];
    const opj_tccp_info_t& coding = info.m_default_tile_info.tccp_info[c];
    const uint64_t width = std::min<uint64_t>(comp.w, info.tdx / std::max(comp.dx, 1u) + 1);
    const uint64_t height = std::min<uint64_t>(comp.h, info.tdy / std::max(comp.dy, 1u) + 1);
    work.bytes += (uint64_t{comp.w} * comp.h + (tiles > 1 ? width * height : 0)) * sizeof(int32_t);
    for (uint32_t r = 0; r < std::min<uint32_t>(coding.numresolutions, OPJ_J2K_MAXRLVLS); ++r) {
      const uint32_t halvings = std::min(coding.numresolutions - 1 - r, 63u);
      const uint64_t columns = (width >> halvings) + 1, rows = (height >> halvings) + 1;
      const uint64_t precincts = partsOf(columns, precinctSides.widths[r]) * partsOf(rows, precinctSides.heights[r]);
      // Above the coarsest resolution there are three bands of half its sides, and so of half its precincts' sides.
      const uint32_t half = r == 0 ? 0 : 1;
      const uint64_t bands = r == 0 ? 1 : 3;
      const auto side = [&](uint32_t block, uint32_t precinct) {
        return std::min(block, precinct - std::min(half, precinct));
      };
      const uint64_t blocks =
          std::max(precincts, partsOf(columns >> half, side(coding.cblkw, precinctSides.widths[r])) *
                                  partsOf(rows >> half, side(coding.cblkh, precinctSides.heights[r])));
      work.bytes += bands * (blocks * kBlockBytes + precincts * kPrecinctBytes);
      work.packets += precincts * std::max(info.m_default_tile_info.numlayers, 1u) * tiles;
    }
  }
  return work;
}

// One sample as 0..255; components may be coarser than the picture.
double sampleAt(const opj_image_t& picture, uint32_t component, uint32_t x, uint32_t y) {
  const opj_image_comp_t& comp = picture.comps[component];
  const uint32_t column = std::min(x / comp.dx, comp.w - 1), row = std::min(y / comp.dy, comp.h - 1);
  const double value = static_cast<double>(comp.data[static_cast<size_t>(row) * comp.w + column]) +
                       (comp.sgnd != 0 ? std::ldexp(1.0, static_cast<int>(comp.prec) - 1) : 0.0);
  if (comp.prec == 8) return value;
  return comp.prec > 8 ? std::floor(value / std::ldexp(1.0, static_cast<int>(comp.prec) - 8))
                       : value * 255.0 / (std::ldexp(1.0, static_cast<int>(comp.prec)) - 1);
}

uint8_t toByte(double value) {
  return static_cast<uint8_t>(std::clamp(std::nearbyint(value), 0.0, 255.0));
}

Result<void> fillPixels(const opj_image_t& picture, const DecodedImage& image) {
  const bool colour = picture.numcomps >= 3;
  for (uint32_t c = 0; c < (colour ? 3u : 1u); ++c) {
    const opj_image_comp_t& comp = picture.comps[c];
    if (comp.data == nullptr || comp.w == 0 || comp.h == 0 || comp.dx == 0 || comp.dy == 0 || comp.prec == 0 ||
        comp.prec > 31) {
      return fail(ErrorCode::kInvalidArgument, "a JPEG 2000 image without samples in component {}", c);
    }
  }
  const bool ycc = colour && (picture.color_space == OPJ_CLRSPC_SYCC || picture.color_space == OPJ_CLRSPC_EYCC);
  uint8_t* to = image.rgb.data();
  for (uint32_t y = 0; y < static_cast<uint32_t>(image.height); ++y) {
    for (uint32_t x = 0; x < static_cast<uint32_t>(image.width); ++x, to += 3) {
      const double first = sampleAt(picture, 0, x, y);
      if (!colour) {
        to[0] = to[1] = to[2] = toByte(first);
        continue;
      }
      const double second = sampleAt(picture, 1, x, y), third = sampleAt(picture, 2, x, y);
      // BT.601, full range, centre 128.
      to[0] = toByte(ycc ? first + 1.402 * (third - 128) : first);
      to[1] = toByte(ycc ? first - 0.344136 * (second - 128) - 0.714136 * (third - 128) : second);
      to[2] = toByte(ycc ? first + 1.772 * (second - 128) : third);
    }
  }
  return {};
}

}  // namespace

Result<DecodedImage> decodeJpeg2000(Bytes bytes, KernelContext& context) {
  Source source{.bytes = bytes};
  const auto refuse = [&](const char* what) {
    return fail(ErrorCode::kInvalidArgument, "a JPEG 2000 image of {} bytes: {}", bytes.size(), what);
  };
  const Stream stream(opj_stream_create(size_t{1} << 16, OPJ_TRUE), opj_stream_destroy);
  const Codec codec(opj_create_decompress(bytes[0] == 0 ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K), opj_destroy_codec);
  if (stream == nullptr || codec == nullptr) return fail(ErrorCode::kFail, "OpenJPEG could not be started");
  opj_stream_set_read_function(stream.get(), onRead);
  opj_stream_set_skip_function(stream.get(), onSkip);
  opj_stream_set_seek_function(stream.get(), onSeek);
  opj_stream_set_user_data(stream.get(), &source, nullptr);
  opj_stream_set_user_data_length(stream.get(), bytes.size());
  for (auto* set : {opj_set_error_handler, opj_set_warning_handler, opj_set_info_handler})
    set(codec.get(), onMessage, nullptr);
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  if (opj_setup_decoder(codec.get(), &parameters) == OPJ_FALSE) return refuse("the decoder does not start");
  opj_decoder_set_strict_mode(codec.get(), OPJ_TRUE);
  opj_image_t* made = nullptr;
  const bool header = opj_read_header(stream.get(), codec.get(), &made) != OPJ_FALSE;
  const Picture picture(made, opj_image_destroy);
  if (!header || picture == nullptr) return refuse("the header is damaged");
  if (picture->x1 <= picture->x0 || picture->y1 <= picture->y0 || picture->numcomps < 1 ||
      picture->numcomps > kMostComponents)
    return refuse("size or number of components are impossible");
  const int64_t width = int64_t{picture->x1} - picture->x0, height = int64_t{picture->y1} - picture->y0;
  CUTAWAY_CHECK(checkSize("JPEG 2000", width, height));
  const std::optional<Precincts> precincts = precinctsOf(bytes);
  if (!precincts) return refuse("the header is damaged");
  if (tilesHaveStyles(bytes)) return refuse("coding styles of single tiles are not covered");
  const CodestreamInfo info(opj_get_cstr_info(codec.get()));
  if (info == nullptr || info->m_default_tile_info.tccp_info == nullptr) return refuse("the header is damaged");
  const Work work = workOf(*picture, *info, *precincts);
  if (work.packets > kMostPackets) return refuse("it is cut into too many packets");
  CUTAWAY_TRY(const DecodedImage image, blackImage("JPEG 2000", width, height, context, work.bytes));
  if (opj_decode(codec.get(), stream.get(), picture.get()) == OPJ_FALSE)
    return refuse("the samples are damaged or end early");
  CUTAWAY_CHECK(fillPixels(*picture, image));
  return image;
}

}  // namespace cutaway::cpu::image
