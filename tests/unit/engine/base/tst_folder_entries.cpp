// Entries of folders: sorted, whole, and empty where there is nothing to read.
#include <fstream>

#include <QTemporaryDir>
#include <QTest>

#include "engine/base/folder_entries.h"

using namespace cutaway;
namespace fs = std::filesystem;

namespace {

class TestFolderEntries : public QObject {
  Q_OBJECT

  QTemporaryDir m_made;
  fs::path m_folder;

  std::vector<std::string> below(const std::vector<fs::path>& paths) {
    std::vector<std::string> names;
    for (const fs::path& path : paths)
      names.push_back(path.lexically_relative(m_folder).string());
    return names;
  }

 private slots:
  void initTestCase() {
    m_folder = m_made.path().toStdString();
    for (const char* folder : {"b", "b/inner", "empty"})
      fs::create_directory(m_folder / folder);
    for (const char* file : {"c.txt", "a.txt", ".hidden", "b/2", "b/1", "b/inner/deep"})
      std::ofstream(m_folder / file) << file;
    fs::create_directory_symlink(m_folder / "b", m_folder / "linked");
    fs::create_symlink(m_folder / "nowhere", m_folder / "broken");
  }

  void entriesAreSorted() {
    QCOMPARE(below(folderEntries(m_folder)),
             (std::vector<std::string>{".hidden", "a.txt", "b", "broken", "c.txt", "empty", "linked"}));
    QCOMPARE(below(folderEntries(m_folder / "linked")),
             (std::vector<std::string>{"linked/1", "linked/2", "linked/inner"}));
  }

  void whatLiesDeeperFollowsItsFolder() {
    QCOMPARE(below(entriesBelow(m_folder)),
             (std::vector<std::string>{".hidden", "a.txt", "b", "b/1", "b/2", "b/inner", "b/inner/deep", "broken",
                                       "c.txt", "empty", "linked"}));
  }

  void nothingToRead_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"empty", "a.txt", "broken", "not there", ""})
      QTest::newRow(name) << QString::fromLatin1(name);
  }
  void nothingToRead() {
    QFETCH(QString, name);
    const fs::path folder = name.isEmpty() ? fs::path() : m_folder / name.toStdString();
    QVERIFY(folderEntries(folder).empty());
    QVERIFY(entriesBelow(folder).empty());
  }
};

}  // namespace

QTEST_APPLESS_MAIN(TestFolderEntries)
#include "tst_folder_entries.moc"
