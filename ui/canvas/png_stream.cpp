// libpng reports errors by longjmp: every call into it stands in a function of its own that owns nothing.
#include "ui/canvas/png_stream.h"

#include <png.h>

namespace cutaway::ui {

struct PngStream::Writer {
  QIODevice* file = nullptr;
  QSize size;
  bool fileFailed = false;
  png_structp png = nullptr;
  png_infop info = nullptr;
  bool failed = false;

  // libpng stops where the device takes no more; what else stops it is memory, which it wants in rows.
  Result<void> failure() {
    failed = true;
    if (!fileFailed) return noMemoryForPng(size);
    return fail(ErrorCode::kFail, "cannot write the picture: {}", file->errorString().toStdString());
  }
  bool begin(double scale);
  bool row(const uchar* rgb);
  bool end();
  static void put(png_structp png, png_bytep bytes, png_size_t count);
};

namespace {

[[noreturn]] void stop(png_structp png, png_const_charp) {
  png_longjmp(png, 1);
}
void ignore(png_structp, png_const_charp) {}

void flush(png_structp) {}

}  // namespace

void PngStream::Writer::put(png_structp png, png_bytep bytes, png_size_t count) {
  auto* const writer = static_cast<Writer*>(png_get_io_ptr(png));
  const auto size = static_cast<qint64>(count);
  if (writer->file->write(reinterpret_cast<const char*>(bytes), size) == size) return;
  writer->fileFailed = true;
  png_error(png, "write");
}

bool PngStream::Writer::begin(double scale) {
  png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, stop, ignore);
  info = png ? png_create_info_struct(png) : nullptr;
  if (!info || setjmp(png_jmpbuf(png))) return false;
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_write_fn(png, this, put, flush);
  png_set_compression_level(png, 6);
  png_set_IHDR(png, info, static_cast<png_uint_32>(size.width()), static_cast<png_uint_32>(size.height()), 8,
               PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  const auto dotsPerMetre = static_cast<png_uint_32>(96 / 0.0254 * scale);
  png_set_pHYs(png, info, dotsPerMetre, dotsPerMetre, PNG_RESOLUTION_METER);
  png_write_info(png, info);
  return true;
}

bool PngStream::Writer::row(const uchar* rgb) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_write_row(png, rgb);
  return true;
}

bool PngStream::Writer::end() {
  if (setjmp(png_jmpbuf(png))) return false;
  png_write_end(png, nullptr);
  return true;
}

tl::unexpected<Error> noMemoryForPng(const QSize& size) {
  return fail(ErrorCode::kFail, "no memory for a PNG of {} x {} pixels: choose a smaller scale, or SVG", size.width(),
              size.height());
}

PngStream::PngStream(QIODevice& file, const QSize& size, double scale) : m_writer(std::make_unique<Writer>()) {
  m_writer->file = &file;
  m_writer->size = size;
  m_writer->failed = !m_writer->begin(scale);
}

PngStream::~PngStream() {
  png_destroy_write_struct(&m_writer->png, &m_writer->info);
}

Result<void> PngStream::writeRow(const uchar* rgb) {
  if (!m_writer->failed && m_writer->row(rgb)) return {};
  return m_writer->failure();
}

Result<void> PngStream::finish() {
  if (!m_writer->failed && m_writer->end()) return {};
  return m_writer->failure();
}

}  // namespace cutaway::ui
