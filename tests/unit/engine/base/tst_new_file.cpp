#include <fstream>
#include <iterator>

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <QtTest/QtTest>

#include "engine/base/mapped_file.h"
#include "engine/base/read_mark.h"
#include "engine/base/write_file.h"

using namespace cutaway;
namespace fs = std::filesystem;

namespace {

std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

Result<void> asVoid(const Result<std::unique_ptr<NewFile>>& result) {
  return result ? Result<void>() : fail(result.error());
}

std::string readAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

class TestNewFile : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> m_folder;
  fs::path path(const std::string& name) const { return fs::path(m_folder->path().toStdString()) / name; }
  int64_t entries() const {
    return std::distance(fs::directory_iterator(m_folder->path().toStdString()), fs::directory_iterator());
  }

 private slots:
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }

  void appearsWholeUnderItsName() {
    auto file = NewFile::create(path("new"), {}).value();
    QVERIFY(file->write(bytesOf("one")).has_value());
    QVERIFY(file->align(8).has_value());
    QVERIFY(file->write(bytesOf("two")).has_value());
    QVERIFY(file->rewrite(0, bytesOf("ONE")).has_value());
    QVERIFY(!file->rewrite(9, bytesOf("beyond")));
    QCOMPARE(file->sizeBytes(), int64_t{11});
    QVERIFY(file->seal().has_value());
    QVERIFY(!fs::exists(path("new")));
    QVERIFY(file->publish().has_value());
    QVERIFY(file->publish().has_value());
    QCOMPARE(readAll(path("new")), std::string("ONE\0\0\0\0\0two", 11));
    file.reset();
    QCOMPARE(entries(), int64_t{1});
  }

  void alignsFurtherThanAPage() {
    auto file = NewFile::create(path("new"), {}).value();
    QVERIFY(file->write(bytesOf("x")).has_value());
    QVERIFY(file->align(65536).has_value());
    QCOMPARE(file->sizeBytes(), int64_t{65536});
  }

  void whatWasThereStaysUntilThen() {
    std::ofstream(path("old")) << "old";
    {
      auto file = NewFile::create(path("old"), {}).value();
      QVERIFY(file->write(bytesOf("half")).has_value());
      QCOMPARE(readAll(path("old")), std::string("old"));
    }
    QCOMPARE(readAll(path("old")), std::string("old"));
    QCOMPARE(entries(), int64_t{1});
    auto file = NewFile::create(path("old"), {}).value();
    QVERIFY(file->write(bytesOf("new")).has_value());
    QVERIFY(file->publish().has_value());
    QCOMPARE(readAll(path("old")), std::string("new"));
  }

  void existingFilesAreKeptUnlessTold() {
    std::ofstream(path("old")) << "old";
    const auto refused = NewFile::create(path("old"), {.overwrite = false});
    QVERIFY(!refused);
    QCOMPARE(static_cast<int>(refused.error().code), static_cast<int>(ErrorCode::kFail));
    QVERIFY(refused.error().message.find("exists already") != std::string::npos);
    // Also when it comes to be between the two.
    auto late = NewFile::create(path("late"), {.overwrite = false}).value();
    std::ofstream(path("late")) << "faster";
    const auto published = late->publish();
    QVERIFY(!published);
    QVERIFY(published.error().message.find("exists already") != std::string::npos);
    late.reset();
    QCOMPARE(readAll(path("late")), std::string("faster"));
    QCOMPARE(entries(), int64_t{2});
    auto fresh = NewFile::create(path("fresh"), {.overwrite = false}).value();
    QVERIFY(fresh->publish().has_value());
    QVERIFY(fs::exists(path("fresh")));
  }

  void targets_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("part");
    QTest::newRow("folder") << "folder" << static_cast<int>(kNotWritable) << "is a folder";
    QTest::newRow("folder with a slash") << "folder/" << static_cast<int>(kNotWritable) << "is a folder";
    QTest::newRow("dots") << "folder/.." << static_cast<int>(kNotWritable) << "is a folder";
    QTest::newRow("link to a folder") << "to-folder" << static_cast<int>(kNotWritable) << "is a folder";
    QTest::newRow("pipe") << "pipe" << static_cast<int>(kNotWritable) << "pipe or device";
    QTest::newRow("folder that is missing") << "nowhere/file" << static_cast<int>(kNotWritten) << "cannot be opened";
    QTest::newRow("below a file") << "plain/file" << static_cast<int>(kNotWritten) << "cannot be opened";
    QTest::newRow("name too long") << QString(300, 'n') << static_cast<int>(kNotWritten) << "cannot be written";
  }
  void targets() {
    QFETCH(QString, name);
    QFETCH(int, code);
    QFETCH(QString, part);
    fs::create_directory(path("folder"));
    fs::create_directory_symlink("folder", path("to-folder"));
    ::mkfifo(path("pipe").c_str(), 0600);
    std::ofstream(path("plain")) << "x";
    const auto file = NewFile::create(path(name.toStdString()), {});
    QVERIFY(!file);
    QCOMPARE(static_cast<int>(file.error().code), code);
    QVERIFY2(file.error().message.find(part.toStdString()) != std::string::npos, file.error().message.c_str());
  }

  void linksAreReplacedNotFollowed() {
    std::ofstream(path("kept")) << "kept";
    fs::create_symlink("kept", path("link"));
    auto file = NewFile::create(path("link"), {}).value();
    QVERIFY(file->write(bytesOf("new")).has_value());
    QVERIFY(file->publish().has_value());
    QVERIFY(!fs::is_symlink(path("link")));
    QCOMPARE(readAll(path("kept")), std::string("kept"));
  }

  void longNamesHaveRoomForTheirTemporaries() {
    auto file = NewFile::create(path(std::string(250, 'n')), {}).value();
    QVERIFY(file->publish().has_value());
    QVERIFY(fs::exists(path(std::string(250, 'n'))));
  }

  void theNameMayFollowFromTheContents() {
    std::ofstream(path("taken")) << "taken";
    auto file = NewFile::create(path("provisional"), {.overwrite = false}).value();
    QVERIFY(file->write(bytesOf("x")).has_value());
    QVERIFY(!file->setPath(path("taken")));
    QVERIFY(file->path() == path("provisional"));
    QVERIFY(!file->setPath(path("folder/elsewhere")));
    QVERIFY(file->setPath(path("final")).has_value());
    QVERIFY(file->publish().has_value());
    QCOMPARE(readAll(path("final")), std::string("x"));
    QCOMPARE(entries(), int64_t{2});
  }

  void twoWritersOfOneTarget() {
    auto first = NewFile::create(path("same"), {}).value();
    auto second = NewFile::create(path("same"), {}).value();
    QVERIFY(first->write(bytesOf("first")).has_value());
    QVERIFY(second->write(bytesOf("second")).has_value());
    QVERIFY(second->publish().has_value());
    QVERIFY(first->publish().has_value());
    QCOMPARE(readAll(path("same")), std::string("first"));
  }

  void theKilledLeaveNothing() {
    std::ofstream(path("model")) << "old";
    const pid_t child = ::fork();
    if (child == 0) {
      auto file = NewFile::create(path("model"), {});
      if (file) (void)(*file)->write(bytesOf("half"));
      if (file) (void)(*file)->seal();
      ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    QCOMPARE(readAll(path("model")), std::string("old"));
    QCOMPARE(entries(), int64_t{1});
  }

  // Of file systems that know no files without names, and of the moment before the renaming.
  void whatTheDeadLeftIsSwept() {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    int status = 0;
    ::waitpid(child, &status, 0);
    for (const char* stem : {".model.tmp", ".model_onednn.tmp"})
      std::ofstream(path(stem + std::to_string(child) + "-0")) << "half";
    QCOMPARE(entries(), int64_t{2});
    std::ofstream(path(".model.tmp0-1")) << "0 is no process";
    std::ofstream(path(".model.tmpfoo")) << "no temporary";
    std::ofstream(path(".other.tmp999999999-1")) << "another name";
    auto alive = NewFile::create(path("model"), {}).value();
    QVERIFY(!fs::exists(path(".model.tmp" + std::to_string(child) + "-0")));
    QVERIFY(fs::exists(path(".model_onednn.tmp" + std::to_string(child) + "-0")));
    QCOMPARE(NewFile::sweep(m_folder->path().toStdString(), "model"), int64_t{1});
    QVERIFY(!fs::exists(path(".model_onednn.tmp" + std::to_string(child) + "-0")));
    QVERIFY(fs::exists(path(".model.tmp0-1")) && fs::exists(path(".model.tmpfoo")));
    QVERIFY(alive->publish().has_value());
    QVERIFY(fs::exists(path(".other.tmp999999999-1")));
  }

  void fullDisksAreSaid() {
    // A limit on file sizes stands in for a disk; the signal that comes with it must not end the program.
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{1 << 16, before.rlim_max};
    auto file = NewFile::create(path("large"), {}).value();
    ::setrlimit(RLIMIT_FSIZE, &small);
    const auto written = file->write(std::vector<std::byte>(1 << 17));
    ::setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(!written);
    QCOMPARE(static_cast<int>(written.error().code), static_cast<int>(kNotWritten));
    QVERIFY2(written.error().message.find("larger than 65536") != std::string::npos, written.error().message.c_str());
    file.reset();
    QCOMPARE(entries(), int64_t{0});
  }

  void roomIsAskedForFirst() {
    auto file = NewFile::create(path("large"), {}).value();
    QVERIFY(file->reserve(1 << 16).has_value());
    QVERIFY(file->write(bytesOf("little")).has_value());
    const auto asked = file->reserve(int64_t{1} << 60);
    QVERIFY(!asked);
    QVERIFY(isWriteFailure(asked.error()));
    QVERIFY2(asked.error().message.find("cannot be written") != std::string::npos, asked.error().message.c_str());
    QVERIFY(file->publish().has_value());
    QCOMPARE(readAll(path("large")), std::string("little"));
  }

  // Wherever it arrives, whatever was said around it; and nothing else is one, whatever it says.
  void failuresAreKnownByTheirCodes() {
    Error told = writeFailure(path("file"), ENOSPC, 12);
    QCOMPARE(static_cast<int>(told.code), static_cast<int>(kNotWritten));
    told.message = "the report: " + told.message;
    QVERIFY(isWriteFailure(told));
    Error other = told;
    other.code = ErrorCode::kFail;
    other.message = fmt::format("'{}' cannot be written: a model says so", other.where.file);
    QVERIFY(!isWriteFailure(other));
    QCOMPARE(std::string(errorCodeName(kNotWritten)), std::string("FAIL"));
    QCOMPARE(std::string(errorCodeName(kNotWritable)), std::string("INVALID_ARGUMENT"));
    QCOMPARE(std::string(errorCodeName(kNoFolder)), std::string("NO_SUCHFILE"));
  }

  // A program that stays open: whoever holds the old file mapped keeps its bytes.
  void mappedFilesKeepTheirBytes() {
    std::ofstream(path("model")) << "model";
    const auto mapped = MappedFile::open(path("model")).value();
    QVERIFY(writeFile(path("model"), "new").has_value());
    QCOMPARE(readAll(path("model")), std::string("new"));
    QCOMPARE(std::string(reinterpret_cast<const char*>(mapped->bytes().data()), mapped->bytes().size()),
             std::string("model"));
  }

  void filesThatAreReadAreNoTargets() {
    keepReadMarks();
    const auto later = qScopeGuard(allowWritingOverReadFiles);
    std::ofstream(path("model")) << "model";
    fs::create_symlink("model", path("link"));
    fs::create_hard_link(path("model"), path("twin"));
    auto mapped = MappedFile::open(path("model")).value();
    const std::shared_ptr<const ReadMark> mark = ReadMark::of(path("link"));
    for (const bool keepsMapping : {true, false}) {
      if (!keepsMapping) mapped.reset();  // the mark alone is enough
      for (const char* name : {"model", "link", "twin", "../model"}) {
        const fs::path target = name[0] == '.' ? path("sub/../model") : path(name);
        fs::create_directory(path("sub"));
        for (const Result<void>& refused : {asVoid(NewFile::create(target, {})), writeFile(target, "new")}) {
          QVERIFY(!refused);
          QCOMPARE(static_cast<int>(refused.error().code), static_cast<int>(kNotWritable));
          QVERIFY(isWriteFailure(refused.error()));
        }
        QCOMPARE(readAll(target), std::string("model"));
      }
    }
    QVERIFY(NewFile::create(path("model"), {.sameContent = true}).has_value());
  }

  // Also a file that came to be read between opening and publishing.
  void filesThatAreReadMeanwhile() {
    keepReadMarks();
    const auto later = qScopeGuard(allowWritingOverReadFiles);
    std::ofstream(path("model")) << "model";
    auto file = NewFile::create(path("model"), {}).value();
    const auto mapped = MappedFile::open(path("model")).value();
    QVERIFY(!file->publish());
    QCOMPARE(readAll(path("model")), std::string("model"));
  }

  void permissionsStay() {
    std::ofstream(path("private")) << "old";
    fs::permissions(path("private"), fs::perms::owner_read | fs::perms::owner_write);
    QVERIFY(writeFile(path("private"), "new").has_value());
    QVERIFY(fs::status(path("private")).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    fs::permissions(path("private"), fs::perms::owner_read);
    const auto refused = writeFile(path("private"), "newer");
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.find("write-protected") != std::string::npos, refused.error().message.c_str());
    QCOMPARE(readAll(path("private")), std::string("new"));
  }

  void devicesAreWrittenStraight() {
    QVERIFY(writeFile("/dev/null", "anything").has_value());
    const auto full = writeFile("/dev/full", "anything");
    QVERIFY(!full);
    QVERIFY(isWriteFailure(full.error()));
    QVERIFY2(full.error().message.find("disk is full") != std::string::npos, full.error().message.c_str());
    ::mkfifo(path("pipe").c_str(), 0600);
    const auto pipe = writeFile(path("pipe"), "nobody reads");
    QVERIFY(!pipe);
    QVERIFY2(pipe.error().message.find("nobody reads") != std::string::npos, pipe.error().message.c_str());
  }

  void foldersThatTakeNoFilesAreSaid() {
    // Nobody may make files there, not even root.
    const auto file = NewFile::create("/proc/self/file", {});
    QVERIFY(!file);
    QCOMPARE(static_cast<int>(file.error().code), static_cast<int>(kNotWritten));
    QVERIFY2(file.error().message.find("cannot be written") != std::string::npos, file.error().message.c_str());
  }
};

QTEST_GUILESS_MAIN(TestNewFile)
#include "tst_new_file.moc"
