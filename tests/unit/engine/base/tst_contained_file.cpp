#include <fstream>

#include <sys/stat.h>

#include <QtTest/QtTest>

#include "engine/base/contained_file.h"

using namespace cutaway;
namespace fs = std::filesystem;

class TestContainedFile : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> m_folder;
  fs::path path(const std::string& name) const { return fs::path(m_folder->path().toStdString()) / name; }

 private slots:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    fs::create_directories(path("model/below"));
    fs::create_directories(path("model-other"));
    for (const char* name : {"outside.bin", "model/plain.bin", "model/below/plain.bin", "model-other/plain.bin",
                             "model/Gewichte \xC3\xBC\xE2\x82\xAC.bin", "model/..dots.bin"})
      std::ofstream(path(name)) << name;
    std::ofstream(path("model/empty.bin")).flush();
    ::mkfifo(path("model/pipe").c_str(), 0600);
    fs::create_symlink("plain.bin", path("model/inside"));
    fs::create_symlink(path("model/plain.bin"), path("model/inside-absolute"));
    fs::create_symlink("../outside.bin", path("model/out"));
    fs::create_symlink(path("outside.bin"), path("model/out-absolute"));
    fs::create_symlink("..", path("model/up"));
    fs::create_symlink("../model-other/plain.bin", path("model/sibling"));
    fs::create_symlink("nowhere", path("model/dangling"));
    fs::create_symlink("/proc/self/exe", path("model/magic"));
    fs::create_symlink("pipe", path("model/to-pipe"));
    fs::create_symlink("/dev/zero", path("model/zero"));
    fs::create_symlink("circle", path("model/circle"));
    fs::create_directory_symlink("below", path("model/below-too"));
  }

  void names_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("part");  // of the message; empty: opened
    const auto row = [](const char* title, const QByteArray& name, const char* part) {
      QTest::newRow(title) << name << QByteArray(part);
    };
    row("plain", "plain.bin", "");
    row("a folder below", "below/plain.bin", "");
    row("here", "./plain.bin", "");
    row("down and up again", "below/../plain.bin", "");
    row("two slashes", "below//plain.bin", "");
    row("not only ASCII", "Gewichte \xC3\xBC\xE2\x82\xAC.bin", "");
    row("a name that begins with dots", "..dots.bin", "");
    row("a link that stays", "inside", "");
    row("a link that stays, absolute", "inside-absolute", "");
    row("a link to a folder that stays", "below-too/plain.bin", "");
    row("empty name", "", "is empty");
    row("zero byte", QByteArray("plain.bin\0x", 11), "zero byte");
    row("absolute", "/etc/passwd", "absolute path");
    row("drive", "C:\\plain.bin", "absolute path");
    row("network", "\\\\server\\plain.bin", "absolute path");
    row("up", "../outside.bin", "leaves the model's folder (by '..')");
    row("up from below", "below/../../outside.bin", "leaves the model's folder (by '..')");
    row("up and back in", "../model/plain.bin", "leaves the model's folder (by '..')");
    row("up through what is not there", "nowhere/../../outside.bin", "leaves the model's folder (by '..')");
    row("up to a folder that begins the same", "../model-other/plain.bin", "leaves the model's folder (by '..')");
    row("a link out", "out", "leaves the model's folder (by a symbolic link)");
    row("a link out, absolute", "out-absolute", "leaves the model's folder (by a symbolic link)");
    row("a folder link out", "up/outside.bin", "leaves the model's folder (by a symbolic link)");
    row("a folder link out and in again", "up/model-other/plain.bin", "leaves the model's folder (by a symbolic link)");
    row("a link to a folder that begins the same", "sibling", "leaves the model's folder (by a symbolic link)");
    row("a link to what is open", "magic", "leaves the model's folder (by a symbolic link)");
    row("links in a circle", "circle", "cannot be opened");
    row("missing", "none.bin", "should lie beside the model");
    row("below a file", "plain.bin/x", "should lie beside the model");
    row("a link to nothing", "dangling", "should lie beside the model");
    row("a component that is too long", QByteArray(300, 'n'), "should lie beside the model");
    row("a path that is too long", QByteArray(5000, 'n'), "a path has fewer than");
    row("a folder", "below", "is a folder");
    row("the folder itself", ".", "is a folder");
    row("a folder with a slash", "below/", "is a folder");
    row("a pipe that nobody writes to", "pipe", "is a pipe");
    row("a link to a pipe", "to-pipe", "is a pipe");
    row("a device, by a link", "zero", "leaves the model's folder (by a symbolic link)");
    row("empty file", "empty.bin", "is empty");
  }
  void names() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, part);
    const auto file = openContained(path("model"), name.toStdString());
    if (part.isEmpty()) {
      if (!file) QFAIL(describe(file.error()).c_str());
      QVERIFY(!(*file)->bytes().empty());
      return;
    }
    QVERIFY(!file);
    QCOMPARE(static_cast<int>(file.error().code), static_cast<int>(ErrorCode::kInvalidGraph));
    QVERIFY2(QByteArray::fromStdString(file.error().message).contains(part), file.error().message.c_str());
  }

  void emptyFolderIsTheWorkingDirectory() {
    const fs::path before = fs::current_path();
    fs::current_path(path("model"));
    const auto file = openContained({}, "plain.bin");
    const auto outside = openContained({}, "../outside.bin");
    fs::current_path(before);
    QVERIFY(file.has_value());
    QVERIFY(!outside);
  }

  void theFolderMayBeALink() {
    fs::create_directory_symlink(path("model"), path("alias"));
    QVERIFY(openContained(path("alias"), "plain.bin").has_value());
    QVERIFY(openContained(path("alias"), "inside-absolute").has_value());
    QVERIFY(!openContained(path("alias"), "out"));
  }

  void linksMayLeadToTheOtherFolderWhenOneIsNamed() {
    QVERIFY(!openContained(path("model"), "sibling"));
    QVERIFY(openContained(path("model"), "sibling", {.otherFolder = path("model-other")}).has_value());
    QVERIFY(!openContained(path("model"), "out", {.otherFolder = path("model-other")}));
    QVERIFY(!openContained(path("model"), "../model-other/plain.bin", {.otherFolder = path("model-other")}));
  }

  void missingAndEmptyMayBeAllowed() {
    const auto missing = openContained(path("model"), "none.bin", {.allowMissing = true});
    QVERIFY(missing.has_value() && *missing == nullptr);
    const auto folder = openContained(path("nowhere"), "none.bin", {.allowMissing = true});
    QVERIFY(folder.has_value() && *folder == nullptr);
    const auto empty = openContained(path("model"), "empty.bin", {.allowEmpty = true});
    QVERIFY(empty.has_value() && *empty != nullptr && (*empty)->bytes().empty());
  }

  void foldersThatAreMissingAreSaid() {
    const auto file = openContained(path("nowhere"), "plain.bin");
    QVERIFY(!file);
    QVERIFY(file.error().message.find("missing") != std::string::npos);
  }

  void namesToBeWritten_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("fine");
    QTest::newRow("plain") << QByteArray("weights.bin") << true;
    QTest::newRow("below") << QByteArray("below/weights.bin") << true;
    QTest::newRow("empty") << QByteArray() << false;
    QTest::newRow("absolute") << QByteArray("/weights.bin") << false;
    QTest::newRow("up") << QByteArray("../weights.bin") << false;
    QTest::newRow("folder") << QByteArray("below/") << false;
    QTest::newRow("dot") << QByteArray(".") << false;
  }
  void namesToBeWritten() {
    QFETCH(QByteArray, name);
    QFETCH(bool, fine);
    const auto checked = checkContainedName(name.toStdString());
    QCOMPARE(checked.has_value(), fine);
    if (!fine) QCOMPARE(static_cast<int>(checked.error().code), static_cast<int>(ErrorCode::kInvalidArgument));
  }

  void messagesEscapeWhatAModelSays() {
    const auto file = openContained(path("model"), "a\nb\x1b[31m");
    QVERIFY(!file);
    QVERIFY2(
        file.error().message.find('\n') == std::string::npos && file.error().message.find('\x1b') == std::string::npos,
        file.error().message.c_str());
  }
};

QTEST_GUILESS_MAIN(TestContainedFile)
#include "tst_contained_file.moc"
