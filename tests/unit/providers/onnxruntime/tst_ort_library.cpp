// Finding the library: what people read when it is missing, for another machine, or no library.
#include <cstring>
#include <fstream>

#include <elf.h>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "providers/onnxruntime/elf_file.h"
#include "providers/onnxruntime/library.h"

using namespace cutaway;
using namespace cutaway::onnxruntime;

namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string elf(Elf64_Half machine, Elf64_Half type = ET_DYN) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = type;
  header.e_machine = machine;
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

constexpr Elf64_Half kHere =
#if defined(__x86_64__)
    EM_X86_64;
#else
    EM_AARCH64;
#endif

}  // namespace

class TestOrtLibrary : public QObject {
  Q_OBJECT
 private slots:
  void anEmptyFolderSaysHowToGetIt() {
    const QTemporaryDir folder;
    const Result<LibraryPlace> place = findLibraryIn({{folder.path().toStdString(), "here", false}});
    QVERIFY(!place.has_value());
    QCOMPARE(place.error().code, ErrorCode::kNotFound);
    for (const char* const text : {"pip install onnxruntime", "CUTAWAY_ONNXRUNTIME_DIR", "folder"})
      QVERIFY2(place.error().message.find(text) != std::string::npos, place.error().message.c_str());
    QVERIFY(place.error().message.find(folder.path().toStdString()) != std::string::npos);
  }

  void files_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("problem");
    const auto row = [](const char* name, const std::string& bytes, const char* problem) {
      QTest::newRow(name) << QByteArray(bytes.data(), static_cast<int>(bytes.size())) << problem;
    };
    row("a library", elf(kHere), "");
    row("text", "#!/bin/sh\necho a script that is long enough to hold a whole ELF header\n", "no ELF header");
    row("empty", "", "no ELF header");
    row("cut off", elf(kHere).substr(0, 30), "no ELF header");
    row("another machine", elf(EM_PPC64), "another architecture: ppc64");
    row("32 bits", elf(EM_386), "another architecture: 32-bit x86");
    row("a program", elf(kHere, ET_EXEC), "not a library");
  }
  void files() {
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, problem);
    const QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "lib" / "libonnxruntime.so.1";
    write(path, bytes.toStdString());
    const QString said = QString::fromStdString(libraryProblem(path));
    QVERIFY2(problem.isEmpty() ? said.isEmpty() : said.contains(problem), qPrintable(said));
    // A folder that the user named says so; another one is passed over.
    const Result<LibraryPlace> named = findLibraryIn({{folder.path().toStdString(), "option folder", true}});
    QCOMPARE(named.has_value(), problem.isEmpty());
    if (named) QCOMPARE(named->path, path);
    if (!named)
      QVERIFY2(named.error().message.find("option folder") != std::string::npos, named.error().message.c_str());
    const Result<LibraryPlace> other = findLibraryIn({{folder.path().toStdString(), "the system", false}});
    QCOMPARE(other.has_value(), problem.isEmpty());
    if (!other) QCOMPARE(other.error().code, ErrorCode::kNotFound);
  }

  void theWholeNameGoesFirst() {
    const QTemporaryDir folder;
    const fs::path base = folder.path().toStdString();
    const fs::path wheel = base / "lib" / "python3.11" / "site-packages" / "onnxruntime" / "capi";
    write(wheel / "libonnxruntime_providers_shared.so", elf(kHere));
    QVERIFY(!findLibraryIn({{base, "here", true}}).has_value());
    write(wheel / "libonnxruntime.so.1", elf(kHere));
    write(wheel / "libonnxruntime.so.1.31.1", elf(kHere));
    QCOMPARE(findLibraryIn({{base, "here", true}})->path, wheel / "libonnxruntime.so.1.31.1");
  }

  void aFileMayBeNamed() {
    const QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "my.so";
    write(path, elf(kHere));
    QCOMPARE(findLibraryIn({{path, "option folder", true}})->path, path);
  }

  void searchOrder() {
    qputenv(kFolderVariable, "/a:/b");
    qputenv("VIRTUAL_ENV", "/venv");
    const std::vector<SearchFolder> folders = searchFolders();
    qunsetenv(kFolderVariable);
    qunsetenv("VIRTUAL_ENV");
    QCOMPARE(folders[0].folder, fs::path("/a"));
    QCOMPARE(folders[1].folder, fs::path("/b"));
    QVERIFY(folders[0].isNamed && folders[1].isNamed && !folders[2].isNamed);
    QCOMPARE(folders[2].source, std::string("build/env"));
    QCOMPARE(folders[3].folder, fs::path("/venv"));
  }

  // Another library than that of the folder that was named would speak for it.
  void onlyTheNamedFolder() {
    const QTemporaryDir empty, full;
    const fs::path library = fs::path(full.path().toStdString()) / "libonnxruntime.so.1";
    write(library, elf(kHere));
    qputenv(kFolderVariable, QFile::encodeName(full.path()));
    const Result<LibraryPlace> usual = findLibrary();
    const Result<LibraryPlace> named = findLibrary(empty.path().toStdString());
    qunsetenv(kFolderVariable);
    QCOMPARE(usual.value_or(LibraryPlace{}).path, library);
    QVERIFY(!named.has_value());
    QCOMPARE(named.error().code, ErrorCode::kNotFound);
    QVERIFY(named.error().message.find(empty.path().toStdString()) != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestOrtLibrary)
#include "tst_ort_library.moc"
