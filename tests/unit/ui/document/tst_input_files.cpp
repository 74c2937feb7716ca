// Pictures as inputs: scaled, cut, normalised and laid out as a data loader does; what cannot be one is refused.
#include <QDir>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include "ui/document/input_files.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

// Left half red, right half blue, 40 x 20.
QString twoHalves(const QTemporaryDir& folder) {
  QImage picture(40, 20, QImage::Format_RGB32);
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 40; ++x)
      picture.setPixel(x, y, x < 20 ? qRgb(255, 0, 0) : qRgb(0, 0, 255));
  const QString file = folder.filePath(QStringLiteral("halves.png"));
  picture.save(file);
  return file;
}

ValueType input(ElementType element, std::vector<Dim> dims) {
  return ValueType::tensor(element, Shape(std::move(dims)));
}

std::string why(const Result<RuntimeValue>& value) {
  return value ? std::string() : describe(value.error());
}

}  // namespace

class TestInputFiles : public QObject {
  Q_OBJECT

 private slots:
  void pixelsLandWhereTheLayoutSays() {
    const QTemporaryDir folder;
    const QString file = twoHalves(folder);
    const PictureRecipe recipe{.mean = {0.5, 0.5, 0.5}, .deviation = {0.5, 0.25, 0.5}};
    const auto first = readInputFile(file, input(ElementType::kFloat, {Dim("n"), Dim(3), Dim(20), Dim(40)}), recipe);
    QVERIFY2(first, why(first).c_str());
    QCOMPARE(first->tensor().dims(), Dims({1, 3, 20, 40}));
    const auto planes = first->tensor().span<float>();
    QCOMPARE(planes[0], 1.0f);             // red of the left: (1 - 0.5) / 0.5
    QCOMPARE(planes[39], -1.0f);           // red of the right
    QCOMPARE(planes[800], -2.0f);          // green: (0 - 0.5) / 0.25
    QCOMPARE(planes[2 * 800 + 39], 1.0f);  // blue of the right
    const auto last = readInputFile(file, input(ElementType::kFloat, {Dim(1), Dim(20), Dim(40), Dim(3)}), recipe);
    QVERIFY2(last, why(last).c_str());
    const auto pixels = last->tensor().span<float>();
    QCOMPARE(pixels[0], 1.0f);
    QCOMPARE(pixels[1], -2.0f);
    QCOMPARE(pixels[39 * 3 + 2], 1.0f);
    const auto blue = readInputFile(file, input(ElementType::kFloat, {Dim(1), Dim(3), Dim(20), Dim(40)}),
                                    {.mean = recipe.mean, .deviation = {0.5, 0.5, 0.5}, .blueFirst = true});
    QVERIFY2(blue, why(blue).c_str());
    QCOMPARE(blue->tensor().span<float>()[0], -1.0f);
    QCOMPARE(blue->tensor().span<float>()[39], 1.0f);
  }

  void picturesAreScaledAndCut() {
    const QTemporaryDir folder;
    const QString file = twoHalves(folder);
    const ValueType open = input(ElementType::kUint8, {Dim(2), Dim(3), Dim("h"), Dim("w")});
    const auto cut = readInputFile(file, open, {.resize = 10, .crop = 8});
    QVERIFY2(cut, why(cut).c_str());
    QCOMPARE(cut->tensor().dims(), Dims({2, 3, 8, 8}));  // the batch is of the same picture
    const auto bytes = cut->tensor().span<uint8_t>();
    QCOMPARE(int{bytes[0]}, 255);  // the middle has the border between the halves
    QCOMPARE(int{bytes[7]}, 0);
    QCOMPARE(int{bytes[2 * 64 + 7]}, 255);
    QVERIFY(std::equal(bytes.begin(), bytes.begin() + 192, bytes.begin() + 192));
    const auto whole = readInputFile(file, input(ElementType::kFloat, {Dim(3), Dim(4), Dim(4)}), {});
    QVERIFY2(whole, why(whole).c_str());
    QCOMPARE(whole->tensor().dims(), Dims({3, 4, 4}));
    const auto gray = readInputFile(file, input(ElementType::kFloat, {Dim(1), Dim(1), Dim(4), Dim(4)}), {});
    QVERIFY2(gray, why(gray).c_str());
    QCOMPARE(gray->tensor().dims(), Dims({1, 1, 4, 4}));
  }

  void whatIsNoInputIsRefused() {
    const QTemporaryDir folder;
    const QString file = twoHalves(folder);
    const ValueType fixed = input(ElementType::kFloat, {Dim(1), Dim(3), Dim(16), Dim(16)});
    const auto refused = [&](const QString& path, const ValueType& type, const PictureRecipe& recipe,
                             const char* words) {
      const auto value = readInputFile(path, type, recipe);
      return !value && why(value).find(words) != std::string::npos &&
             why(value).find(path.toStdString()) != std::string::npos;
    };
    QVERIFY(refused(file, fixed, {.resize = 8}, "larger than the picture of 16 x 8"));
    QVERIFY(refused(file, fixed, {.crop = 18}, "change crop or resize"));
    QVERIFY(refused(file, input(ElementType::kInt64, {Dim(1), Dim(16)}), {}, "give .npy or .pb"));
    QVERIFY(refused(file, input(ElementType::kFloat, {Dim(1), Dim(16)}), {}, "3 or 4 dimensions"));
    QVERIFY(refused(file, input(ElementType::kFloat, {Dim(1), Dim(5), Dim(4), Dim(4)}), {}, "1 or 3 channels"));
    QFile text(folder.filePath("no.png"));
    QVERIFY(text.open(QIODevice::WriteOnly) && text.write("no picture") > 0);
    text.close();
    QVERIFY(refused(text.fileName(), fixed, {}, "cannot be read as a picture"));
    QVERIFY(refused(folder.filePath("missing.npy"), fixed, {}, "missing.npy"));
  }

  // Ids of tokens: an open length takes them all, a fixed one must be theirs.
  void textsAreRowsOfNumbers() {
    const QTemporaryDir folder;
    const auto write = [&](const char* name, const QByteArray& bytes) {
      QFile file(folder.filePath(QLatin1String(name)));
      return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
    };
    const QString ids = write("ids.txt", "[101, 2054 2003\n102]");
    const auto open = readInputFile(ids, input(ElementType::kInt64, {Dim("batch"), Dim("length")}), {});
    QVERIFY2(open, why(open).c_str());
    QCOMPARE(open->tensor().dims(), Dims({1, 4}));
    QCOMPARE(open->tensor().span<int64_t>()[1], int64_t{2054});
    const auto fixed = readInputFile(ids, input(ElementType::kFloat, {Dim(2), Dim(2)}), {});
    QVERIFY2(fixed, why(fixed).c_str());
    QCOMPARE(fixed->tensor().span<float>()[3], 102.0f);
    const auto says = [&](const QString& file, const ValueType& type, const char* words) {
      const auto value = readInputFile(file, type, {});
      return !value && why(value).find(words) != std::string::npos;
    };
    QVERIFY(says(ids, input(ElementType::kInt64, {Dim(1), Dim(8)}), "has 4 numbers"));
    QVERIFY(says(write("words.txt", "what is it"), input(ElementType::kInt64, {Dim("n")}), "'what' is no number"));
    QVERIFY(says(write("half.txt", "1.5"), input(ElementType::kInt64, {Dim("n")}), "cannot stand in"));
    QVERIFY(says(write("none.txt", ""), input(ElementType::kInt64, {Dim("n")}), "has 0 numbers"));
    QVERIFY(says(ids, input(ElementType::kUint8, {Dim("n")}), "give .npy or .pb"));
  }

  void soundsAreRowsOfSamples() {
    const QTemporaryDir folder;
    const auto wav = [&](const char* name, quint16 code, quint16 channels, quint16 bits, const QByteArray& data) {
      QByteArray bytes("RIFF....WAVEfmt ");
      const auto put = [&bytes](auto number) {
        bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));  // both are little-endian
      };
      put(quint32{16}), put(code), put(channels), put(quint32{16'000}), put(quint32{0}), put(quint16{0}), put(bits);
      bytes.append("LIST"), put(quint32{3}), bytes.append("odd\0", 4);  // padded to an even length
      bytes.append("data"), put(static_cast<quint32>(data.size())), bytes.append(data);
      QFile file(folder.filePath(QLatin1String(name)));
      return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
    };
    const QByteArray shorts("\x00\x40\x00\xc0\x00\x20\x00\x20", 8);  // 0.5, -0.5, 0.25, 0.25
    const QString mono = wav("mono.wav", 1, 1, 16, shorts);
    const auto open = readInputFile(mono, input(ElementType::kFloat, {Dim("batch"), Dim("samples")}), {});
    QVERIFY2(open, why(open).c_str());
    QCOMPARE(open->tensor().dims(), Dims({1, 4}));
    QCOMPARE(open->tensor().span<float>()[0], 0.5f);
    QCOMPARE(open->tensor().span<float>()[1], -0.5f);
    const auto longer = readInputFile(mono, input(ElementType::kFloat, {Dim(1), Dim(6)}), {});
    QVERIFY2(longer, why(longer).c_str());
    QCOMPARE(longer->tensor().span<float>()[3], 0.25f);
    QCOMPARE(longer->tensor().span<float>()[5], 0.0f);  // silence
    const auto stereo =
        readInputFile(wav("stereo.wav", 1, 2, 16, shorts), input(ElementType::kFloat, {Dim("samples")}), {});
    QVERIFY2(stereo, why(stereo).c_str());
    QCOMPARE(stereo->tensor().dims(), Dims({2}));
    QCOMPARE(stereo->tensor().span<float>()[0], 0.0f);
    QCOMPARE(stereo->tensor().span<float>()[1], 0.25f);
    const QString bytes = wav("bytes.wav", 1, 1, 8, shorts);
    const auto refused = readInputFile(bytes, input(ElementType::kFloat, {Dim("samples")}), {});
    QVERIFY(!refused && why(refused).find("16 bit or float") != std::string::npos);
  }

  void foldersStandForTheirFiles() {
    const QTemporaryDir folder;
    for (const char* name : {"b.npy", "a.PNG", "c.txt", "d.jpg"}) {
      QFile file(folder.filePath(QLatin1String(name)));
      QVERIFY(file.open(QIODevice::WriteOnly));
    }
    QStringList names;
    for (const QString& file : inputFilesIn({folder.path(), QStringLiteral("/x/one.npy")}))
      names << QFileInfo(file).fileName();
    QCOMPARE(names, (QStringList{"a.PNG", "b.npy", "d.jpg", "one.npy"}));
  }

  void channelsAreOneOrThree() {
    QCOMPARE(*readChannels("0.5"), (std::array<double, 3>{0.5, 0.5, 0.5}));
    QCOMPARE(*readChannels("0.1, 0.2,0.3"), (std::array<double, 3>{0.1, 0.2, 0.3}));
    for (const char* bad : {"", "a", "1,2", "1,2,3,4", "1,,x"})
      QVERIFY2(!readChannels(bad), bad);
  }
};

QTEST_GUILESS_MAIN(TestInputFiles)
#include "tst_input_files.moc"
