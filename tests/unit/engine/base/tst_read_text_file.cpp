#include <fstream>

#include <sys/stat.h>

#include <QtTest/QtTest>

#include "engine/base/read_text_file.h"

using namespace cutaway;

class TestReadTextFile : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::filesystem::path path(const char* name) const {
    return std::filesystem::path(m_folder.path().toStdString()) / name;
  }

 private slots:
  void wholeContents() {
    std::ofstream(path("text")) << "one\ntwo";
    QCOMPARE(readTextFile(path("text")).value(), std::string("one\ntwo"));
    std::ofstream(path("empty")).flush();
    QCOMPARE(readTextFile(path("empty")).value(), std::string());
  }

  void whatIsNoSmallFileIsRefused() {
    const auto missing = readTextFile(path("missing"), {.what = "the settings"});
    QVERIFY(!missing);
    QCOMPARE(static_cast<int>(missing.error().code), static_cast<int>(ErrorCode::kNoSuchFile));
    QVERIFY2(missing.error().message.starts_with("the settings '"), missing.error().message.c_str());
    // Nobody writes to the pipe: reading it would never end.
    ::mkfifo(path("pipe").c_str(), 0600);
    for (const auto& name : {path("pipe"), path(""), std::filesystem::path("/dev/zero")}) {
      const auto refused = readTextFile(name);
      QVERIFY(!refused);
      QCOMPARE(static_cast<int>(refused.error().code), static_cast<int>(ErrorCode::kInvalidArgument));
    }
    std::ofstream(path("large")) << "12345";
    const auto large = readTextFile(path("large"), {.largestBytes = 4});
    QVERIFY(!large);
    QVERIFY2(large.error().message.find("has 5 bytes; it may have 4") != std::string::npos,
             large.error().message.c_str());
  }
};

QTEST_GUILESS_MAIN(TestReadTextFile)
#include "tst_read_text_file.moc"
