#pragma once
// Between what writes XML and the file: characters that XML may not hold become U+FFFD, so that a name out of a hostile
// model cannot make a picture that no reader opens.
//
// Qt writes text as it is: control characters, U+FFFE and U+FFFF are no XML 1.0 in any notation, and U+007F is no HTML,
// which such pictures go into. Thread rule: as the device below. Example: XmlDevice xml(file);
// generator.setOutputDevice(&xml);

#include <QIODevice>

namespace cutaway::ui {

class XmlDevice final : public QIODevice {
 public:
  // `below` is open, takes whole UTF-8 characters with each write, and lives longer.
  explicit XmlDevice(QIODevice& below) : m_below(below) { open(QIODevice::WriteOnly | QIODevice::Unbuffered); }
  bool isSequential() const override { return true; }

 protected:
  qint64 readData(char*, qint64) override { return -1; }
  qint64 writeData(const char* data, qint64 size) override;

 private:
  QIODevice& m_below;
};

}  // namespace cutaway::ui
