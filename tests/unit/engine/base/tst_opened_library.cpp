// Modules and libraries that are opened at run time: where they are looked for, and what people read when it fails.
#include <filesystem>
#include <fstream>

#include <dlfcn.h>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/base/opened_library.h"
#include "engine/base/program_place.h"

using namespace cutaway;

namespace {

std::filesystem::path pathOf(const QTemporaryDir& folder) {
  return folder.path().toStdString();
}

const ModuleDescription kModule{.file = "libcutaway_chip.so",
                                .needs = "the Chip SDK",
                                .entry = "chipBridge",
                                .version = 3,
                                .remedy = "install it from chip.example"};

}  // namespace

class TestOpenedLibrary : public QObject {
  Q_OBJECT
 private slots:
  void missingModulesSayWhatToDo() {
    const QTemporaryDir folder;
    const OpenedModule opened = openModule<int>(kModule, {pathOf(folder)});
    QVERIFY(opened.interface == nullptr);
    QCOMPARE(opened.reason, std::string("libcutaway_chip.so is not there: this program was built without the Chip SDK, "
                                        "or moved without it; install it from chip.example"));
  }

  void filesThatAreNoLibraryAreRefused() {
    const QTemporaryDir folder;
    std::ofstream(pathOf(folder) / kModule.file) << "no library";
    const OpenedModule opened = openModule<int>(kModule, {"/nowhere", pathOf(folder)});
    QVERIFY(opened.interface == nullptr);
    const std::string start = (pathOf(folder) / kModule.file).string() + " cannot be opened (";
    QVERIFY2(opened.reason.starts_with(start) && opened.reason.ends_with("); install it from chip.example"),
             opened.reason.c_str());
  }

  // Any library of the system stands for somebody else's module.
  void strangersAreRefused() {
    const QTemporaryDir folder;
    const OpenedLibrary system = openLibraryFile("libm.so.6", BindSymbols::kWhenCalled);
    QVERIFY2(system, system.reason.c_str());
    QVERIFY(system.symbol<double(double)>("cos") != nullptr && system.symbol<double(double)>("chipBridge") == nullptr);
    QCOMPARE(system.symbol<double(double)>("cos")(0), 1.0);
    Dl_info place{};
    QVERIFY(dladdr(system.address("cos"), &place) != 0);
    std::filesystem::create_symlink(place.dli_fname, pathOf(folder) / kModule.file);
    const OpenedModule opened = openModule<int>(kModule, {pathOf(folder)});
    QVERIFY2(opened.interface == nullptr && opened.reason.ends_with("it has no function chipBridge"),
             opened.reason.c_str());
  }

  void otherVersionsAreNamed() {
    QVERIFY(otherVersion(kModule, "/a/b.so").starts_with("/a/b.so belongs to another version of this program"));
  }

  void libraryThatIsNotThere() {
    const OpenedLibrary missing = openLibraryFile("libcutaway_nowhere.so.1");
    QVERIFY(!missing && !missing.reason.empty() && missing.address("main") == nullptr);
  }

  void programsOutsideTheBuildDoNotOpenWhatItLeft() {
    const std::filesystem::path own = programFolder();
    QCOMPARE(own.string(), QCoreApplication::applicationDirPath().toStdString());
    const std::vector<std::filesystem::path> left{"/left/bin"};
    QVERIFY(foldersOfBuild(own, left) == left);
    QVERIFY(foldersOfBuild(own.parent_path() / ".." / own.parent_path().filename(), left) == left);
    QVERIFY(foldersOfBuild(own.string() + "_other", left).empty());
    QVERIFY(foldersOfBuild(own / "deeper", left).empty());
    QVERIFY(foldersOfBuild("/somewhere/else", left).empty());
    QVERIFY(foldersOfBuild("", left).empty());
  }

  void foldersOfTheVariableComeAfterTheProgram() {
    qputenv("CUTAWAY_TEST_DIR", "/some/where:/else");
    const std::vector<std::filesystem::path> folders = moduleFolders("CUTAWAY_TEST_DIR", {"/built", "/else"});
    qunsetenv("CUTAWAY_TEST_DIR");
    const std::filesystem::path own = QCoreApplication::applicationDirPath().toStdString();
    const std::filesystem::path installed = own.parent_path() / "lib/cutaway";
    QVERIFY(folders == (std::vector<std::filesystem::path>{own, installed, "/some/where", "/else", "/built"}));
    QVERIFY(foldersIn("CUTAWAY_TEST_DIR").empty());
  }
};

QTEST_GUILESS_MAIN(TestOpenedLibrary)
#include "tst_opened_library.moc"
