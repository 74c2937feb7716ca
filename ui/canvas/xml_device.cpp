#include "ui/canvas/xml_device.h"

#include <string>
#include <string_view>

namespace cutaway::ui {

qint64 XmlDevice::writeData(const char* data, qint64 size) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  const std::string_view text(data, static_cast<size_t>(size));
  std::string kept;
  kept.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::string_view three = text.substr(i, 3);
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f) {
      kept += kReplacement;
    } else if (three == "\xef\xbf\xbe" || three == "\xef\xbf\xbf") {
      kept += kReplacement;
      i += 2;
    } else {
      kept += text[i];
    }
  }
  if (m_below.write(kept.data(), static_cast<qint64>(kept.size())) == static_cast<qint64>(kept.size())) return size;
  setErrorString(m_below.errorString());
  return -1;
}

}  // namespace cutaway::ui
