#include <fstream>

#include <sys/stat.h>

#include <QtTest/QtTest>

#include "engine/base/mapped_file.h"

using namespace cutaway;

class TestMappedFile : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::filesystem::path path(const char* name) const {
    return std::filesystem::path(m_folder.path().toStdString()) / name;
  }

 private slots:
  void bytesAreTheFiles() {
    std::ofstream(path("three"), std::ios::binary) << std::string("a\0b", 3);
    const auto file = MappedFile::open(path("three"));
    QVERIFY(file.has_value());
    QCOMPARE((*file)->bytes().size(), size_t{3});
    QCOMPARE(static_cast<char>((*file)->bytes()[2]), 'b');
    QVERIFY((*file)->path() == path("three"));
  }

  void emptyFilesAreEmpty() {
    std::ofstream(path("empty")).flush();
    const auto file = MappedFile::open(path("empty"));
    QVERIFY(file.has_value());
    QVERIFY((*file)->bytes().empty());
  }

  void bytesOutliveTheirName() {
    std::ofstream(path("gone")) << "still here";
    const auto file = MappedFile::open(path("gone")).value();
    std::filesystem::remove(path("gone"));
    QCOMPARE(static_cast<char>(file->bytes().back()), 'e');
  }

  void othersAreRefused_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("code");
    QTest::newRow("missing") << "nowhere" << static_cast<int>(ErrorCode::kNoSuchFile);
    QTest::newRow("below a file") << "plain/below" << static_cast<int>(ErrorCode::kNoSuchFile);
    QTest::newRow("name too long") << QString(5000, 'n') << static_cast<int>(ErrorCode::kNoSuchFile);
    QTest::newRow("folder") << "folder" << static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("pipe that nobody writes to") << "pipe" << static_cast<int>(ErrorCode::kInvalidArgument);
  }
  void othersAreRefused() {
    QFETCH(QString, name);
    QFETCH(int, code);
    std::ofstream(path("plain")) << "x";
    std::filesystem::create_directory(path("folder"));
    ::mkfifo(path("pipe").c_str(), 0600);
    const auto file = MappedFile::open(path(name.toUtf8().constData()));
    QVERIFY(!file.has_value());
    QCOMPARE(static_cast<int>(file.error().code), code);
    QVERIFY(!file.error().where.file.empty());
  }
};

QTEST_GUILESS_MAIN(TestMappedFile)
#include "tst_mapped_file.moc"
