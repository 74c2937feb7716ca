#include <QtTest/QtTest>

#include "tests/unit/engine/context_binary/binaries.h"

using namespace cutaway;
using namespace cutaway::test;

namespace {

// A binary with one chunk of 16 bytes at 64, and one of 5000 at 4096.
std::string intact() {
  return writeBinary({partition("onednn", "first")});
}
size_t directoryOf(const std::string& bytes) {
  return numberAt<uint64_t>(bytes, kAtDirectory);
}

using Change = std::function<void(std::string&)>;

template <typename T>
Change inHeader(size_t offset, T value) {
  return [=](std::string& bytes) {
    putNumber(bytes, offset, value);
    repairHeader(bytes);
  };
}
template <typename T>
Change inDirectory(size_t offset, T value) {
  return [=](std::string& bytes) {
    putNumber(bytes, directoryOf(bytes) + offset, value);
    repair(bytes);
  };
}
// Replaces the first occurrence in the directory; same length.
Change replaceText(std::string from, std::string to) {
  return [=](std::string& bytes) {
    const size_t at = bytes.find(from, directoryOf(bytes));
    if (at == std::string::npos) qFatal("no such text");
    bytes.replace(at, from.size(), to);
    repair(bytes);
  };
}

struct Row {
  const char* name;
  Change change;
  const char* part;
};

// The header, the file's length and the directory as a whole.
std::vector<Row> headerRows() {
  return {
      {"empty", [](std::string& bytes) { bytes.clear(); }, "it is empty"},
      {"another format",
       [](std::string& bytes) {
         bytes.replace(0, 4,
                       "\x7F"
                       "ELF");
       },
       "it begins with the bytes 7f 45 4c 46"},
      {"not fetched", [](std::string& bytes) { bytes = "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"; },
       "Git-LFS pointer"},
      {"only the magic", [](std::string& bytes) { bytes.resize(8); }, "cut short: 8 bytes"},
      {"half a header", [](std::string& bytes) { bytes.resize(63); }, "cut short: 63 bytes"},
      {"newer version", inHeader(kAtVersion, uint32_t{2}), "format version 2, and this program reads version 1"},
      {"header changed", [](std::string& bytes) { bytes[kAtDirectory] ^= 64; }, "header is damaged"},
      {"bytes behind the header", [](std::string& bytes) { bytes[60] = 1; }, "header is damaged"},
      {"flags", inHeader(kAtFlags, uint32_t{4}), "flags 0x4"},
      {"cut short by a byte", [](std::string& bytes) { bytes.pop_back(); }, "cut short"},
      {"cut in the middle", [](std::string& bytes) { bytes.resize(bytes.size() / 2); }, "cut short"},
      {"one byte more", [](std::string& bytes) { bytes += 'x'; }, "1 bytes stand behind its end"},
      {"directory in the header", inHeader(kAtDirectory, uint64_t{32}), "its directory (offset 32"},
      {"directory behind the end", inHeader(kAtDirectory, uint64_t{1} << 63),
       "its directory (offset 9223372036854775808"},
      {"directory too large", inHeader(kAtDirectorySize, ~uint64_t{0}), "its directory (offset"},
      {"directory changed", [](std::string& bytes) { bytes.back() ^= 1; }, "directory is damaged"},
      {"directory elsewhere",
       [](std::string& bytes) {
         bytes.insert(directoryOf(bytes), std::string(64, '\0'));
         putNumber(bytes, kAtDirectory, uint64_t{directoryOf(bytes) + 64});
         repair(bytes);
       },
       "its directory lies at"},
      {"directory unaligned",
       [](std::string& bytes) {
         bytes.insert(directoryOf(bytes), 1, '\0');
         putNumber(bytes, kAtDirectory, uint64_t{directoryOf(bytes) + 1});
         repair(bytes);
       },
       "no multiple of 64"},
  };
}

// In the directory: number of chunks at 0, chunk 0 at 4 (offset, size, checksum), chunk 1 at 28, number of partitions
// at 52, the first one's name at 56.
std::vector<Row> directoryRows() {
  return {
      {"too many chunks", inDirectory(0, uint32_t{0xFFFFFFFF}), "number of chunks is 4294967295"},
      {"more chunks than fit", inDirectory(0, uint32_t{1000}), "number of chunks is 1000"},
      {"a chunk in the header", inDirectory(4, uint64_t{0}), "chunk 0 at 0 overlaps"},
      {"a chunk in another", inDirectory(28, uint64_t{64}), "chunk 1 at 64 overlaps"},
      {"a chunk unaligned", inDirectory(28, uint64_t{4097}), "chunk 1 lies at 4097 instead of 4096"},
      {"a chunk behind the directory", inDirectory(28, uint64_t{1} << 40), "chunk 1 (offset 1099511627776"},
      {"a chunk over the directory", inDirectory(36, uint64_t{9000}),
       "chunk 1 (offset 4096, 9000 bytes) does not lie before the directory"},
      {"a chunk whose end wraps", inDirectory(36, ~uint64_t{0}), "does not lie before the directory"},
      {"a gap", inDirectory(12, uint64_t{5000}), "chunk 0 lies at 64 instead of 4096"},
      {"too many partitions", inDirectory(52, uint32_t{0x7FFFFFFF}), "number of partitions is 2147483647"},
      {"fewer partitions", inDirectory(52, uint32_t{0}), "behind the end of its directory"},
      {"a name too long", inDirectory(56, uint32_t{context_binary::kMostContextText + 1}),
       "at most 1048576 are allowed"},
      {"a name longer than the directory", inDirectory(56, uint32_t{5000}), "ends in the name of partition 0"},
      {"a name that is no text", replaceText("first", "f\xFFrst"), "is no UTF-8 text"},
      {"a name of surrogates", replaceText("first", "\xED\xA0\x80st"), "is no UTF-8 text"},
      {"a name in too many bytes", replaceText("first", "\xC0\x80rst"), "is no UTF-8 text"},
      {"no name", inDirectory(56, uint32_t{0}), "partition 0 has no name"},
      {"cut directory",
       [](std::string& bytes) {
         bytes.resize(bytes.size() - 1);
         repair(bytes);
       },
       "the directory ends in"},
      {"longer directory",
       [](std::string& bytes) {
         bytes += std::string(3, '\0');
         repair(bytes);
       },
       "3 bytes stand behind the end of its directory"},
      {"a symbol longer than the directory",
       replaceText(std::string("\5\0\0\0batch", 9), std::string("\xFF\xFF\0\0batch", 9)),
       "ends in the inputs of partition 'first'"},
      {"an element type that is none", replaceText(std::string("x\1\0\0\0", 5), std::string("x\x1B\0\0\0", 5)),
       "element type 27"},
      {"a negative dimension",
       replaceText(std::string("\3\0\0\0\0\0\0\0", 8), std::string("\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8)),
       "a dimension among the inputs of partition 'first' is -2"},
      {"a rank that cannot be",
       replaceText(std::string("\0\0\0\0\3\0\0\0", 8), std::string("\0\0\0\0\xFE\xFF\xFF\xFF", 8)),
       "a rank among the inputs of partition 'first' is 4294967294"},
      {"a section in no chunk", replaceText(std::string("graph\0\0\0\0", 9), std::string("graph\2\0\0\0", 9)),
       "section 'graph' of partition 'first' is in chunk 2, and there are 2"},
  };
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> rows = headerRows();
    std::ranges::move(directoryRows(), std::back_inserter(rows));
    return rows;
  }();
  return all;
}

bool isNamedDamage(const Error& error) {
  return error.code == ErrorCode::kEpFail && error.message.find("test.bin") != std::string::npos;
}

bool liesBeforeTheDirectory(const context_binary::ContextBinary& binary,
                            const context_binary::ContextSection& section) {
  const size_t directory = directoryOf(std::string(reinterpret_cast<const char*>(binary.bytes().data()), 64));
  const std::byte* begin = binary.bytes().data();
  return section.bytes.data() >= begin + 64 && section.bytes.data() + section.bytes.size() <= begin + directory;
}

}  // namespace

class TestDamagedBinary : public QObject {
  Q_OBJECT

 private slots:
  void everyDamageIsNamed_data() {
    QTest::addColumn<int>("row");
    for (size_t i = 0; i < rows().size(); ++i)
      QTest::newRow(rows()[i].name) << static_cast<int>(i);
  }
  void everyDamageIsNamed() {
    QFETCH(int, row);
    const Row& each = rows()[static_cast<size_t>(row)];
    std::string bytes = intact();
    each.change(bytes);
    const auto opened = openBinary(bytes, "damaged.bin");
    QVERIFY(!opened);
    QCOMPARE(static_cast<int>(opened.error().code), static_cast<int>(ErrorCode::kEpFail));
    QVERIFY2(opened.error().message.find(each.part) != std::string::npos, opened.error().message.c_str());
    QVERIFY(opened.error().message.find("damaged.bin") != std::string::npos);
    QCOMPARE(opened.error().where.file, std::string("damaged.bin"));
  }

  void namesAreThereOnce() {
    // Names of the same length, made equal by hand.
    std::string twoPartitions = writeBinary({partition("onednn", "one"), partition("onednn", "two")});
    replaceText("two", "one")(twoPartitions);
    const auto partitions = openBinary(twoPartitions);
    QVERIFY(!partitions && partitions.error().message.find("the partition 'one' of onednn twice") != std::string::npos);
    context_binary::ContextPartition sections = partition("onednn", "one");
    sections.sections = {section("a1", "x"), section("a2", "y")};
    std::string twoSections = writeBinary({sections});
    replaceText("a2", "a1")(twoSections);
    const auto twice = openBinary(twoSections);
    QVERIFY(!twice && twice.error().message.find("the section 'a1' twice") != std::string::npos);
  }

  // Every bit of a file is covered: by magic, version, or a checksum - but for the padding, which nobody reads.
  void everyChangedByteIsFound() {
    const std::string bytes = intact();
    const auto isPadding = [&](size_t at) {
      return (at >= 80 && at < 4096) || (at >= 9096 && at < directoryOf(bytes));
    };
    for (size_t at = 0; at < bytes.size(); ++at) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ 0x10);
      const auto opened = openBinary(changed);
      QVERIFY2((opened && (*opened)->verifyAll(Progress())) == isPadding(at), std::to_string(at).c_str());
    }
  }

  void everyLengthIsAnswered() {
    const std::string bytes = intact();
    for (size_t length = 0; length < bytes.size(); length += length < 200 || length > directoryOf(bytes) - 10 ? 1 : 37)
      QVERIFY(!openBinary(bytes.substr(0, length)));
  }

  // Right checksums over nonsense: what opens has its sections where chunks may lie, and everything else is EP_FAIL.
  void everyDirectoryByteMayLie() {
    const std::string bytes = intact();
    int opens = 0, refusals = 0;
    for (size_t at = directoryOf(bytes); at < bytes.size(); ++at) {
      for (const int value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(value);
        repair(changed);
        const std::string where = fmt::format("byte {} is {}", at, value);
        const auto opened = openBinary(changed);
        ++(opened ? opens : refusals);
        if (!opened) {
          QVERIFY2(isNamedDamage(opened.error()), where.c_str());
          continue;
        }
        for (const context_binary::ContextPartition& partition : (*opened)->partitions()) {
          for (const context_binary::ContextSection& section : partition.sections)
            QVERIFY2(liesBeforeTheDirectory(**opened, section), where.c_str());
        }
        const Result<void> verified = (*opened)->verifyAll(Progress());
        QVERIFY2(verified || isNamedDamage(verified.error()), where.c_str());
      }
    }
    QVERIFY(opens > 0);
    QVERIFY(refusals > 0);
  }
};

QTEST_GUILESS_MAIN(TestDamagedBinary)
#include "tst_damaged_binary.moc"
