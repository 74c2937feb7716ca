// The tensor viewer: slices, scales, pictures, bars, and the pages over real contents.
#include <cmath>
#include <limits>

#include <QAbstractItemModelTester>
#include <QImage>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "tests/unit/ui/panels/tool_bench.h"
#include "ui/panels/tensor/histogram_chart.h"
#include "ui/panels/tensor/picture_page.h"
#include "ui/panels/tensor/picture_view.h"
#include "ui/panels/tensor/slice_page.h"
#include "ui/panels/tensor/tensor_difference.h"
#include "ui/panels/tensor/tensor_slice.h"
#include "ui/panels/tensor/value_scale.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

std::shared_ptr<const study::TensorContent> content(const std::vector<int64_t>& dims,
                                                    const std::function<float(int64_t)>& number,
                                                    const char* name = "w") {
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  const auto out = tensor.span<float>();
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = number(static_cast<int64_t>(i));
  return *study::TensorContent::make(name, RuntimeValue(std::move(tensor)), CancelToken());
}

}  // namespace

class TestTensorPanel : public QObject {
  Q_OBJECT

 private slots:
  void slicesFindTheirElements() {
    TensorSlice slice = firstSlice({2, 3, 4, 5});
    QCOMPARE(slice.rows(), 4);
    QCOMPARE(slice.columns(), 5);
    slice.fixed = {1, 2, 0, 0};
    QCOMPARE(slice.index(3, 4), 119);
    QCOMPARE(slice.index(4, 0), -1);
    slice.rowAxis = 0;
    slice.columnAxis = 2;
    slice.fixed = {0, 1, 0, 3};
    QCOMPARE(slice.index(1, 2), ((1 * 3 + 1) * 4 + 2) * 5 + 3);
    QCOMPARE(slice.place(1, 2), (std::vector<int64_t>{1, 1, 2, 3}));
  }

  void vectorsAreWrappedAndScalarsAreOneCell() {
    const TensorSlice vector = firstSlice({23});
    QCOMPARE(vector.rows(), 3);
    QCOMPARE(vector.columns(), 10);
    QCOMPARE(vector.index(2, 2), 22);
    QCOMPARE(vector.index(2, 3), -1);
    const TensorSlice scalar = firstSlice({});
    QCOMPARE(scalar.rows(), 1);
    QCOMPARE(scalar.index(0, 0), 0);
  }

  void placesAreRead_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("place");
    QTest::newRow("place") << "1, 2,3" << "[1, 2, 3]";
    QTest::newRow("brackets") << "[0,0,0]" << "[0, 0, 0]";
    QTest::newRow("row-major") << "59" << "[2, 3, 4]";
    QTest::newRow("beyond") << "60" << "none";
    QTest::newRow("axis beyond") << "0,4,0" << "none";
    QTest::newRow("too few") << "0,1" << "none";
    QTest::newRow("words") << "x" << "none";
    QTest::newRow("below zero") << "-1" << "none";
  }
  void placesAreRead() {
    QFETCH(QString, words);
    const auto place = parsePlace(words, {3, 4, 5});
    QTEST(place ? placeText(*place) : QStringLiteral("none"), "place");
  }

  void layoutsAreGuessed() {
    QVERIFY(guessLayout({1, 3, 224, 224}) == ImageLayout::kChannelsFirst);
    QVERIFY(guessLayout({1, 224, 224, 3}) == ImageLayout::kChannelsLast);
    QVERIFY(guessLayout({480, 640, 4}) == ImageLayout::kChannelsLast);
    QVERIFY(guessLayout({64, 7, 7}) == ImageLayout::kChannelsFirst);
    QVERIFY(guessLayout({8, 8}) == ImageLayout::kPlane);
  }

  void scalesPartAtZeroAndLeaveOutliersAside() {
    std::vector<double> samples;
    for (int i = 0; i < 1000; ++i)
      samples.push_back(i / 1000.0);
    samples.push_back(1e9);
    samples.push_back(std::nan(""));
    samples.push_back(std::numeric_limits<double>::infinity());
    const ValueScale robust = scaleOf(samples, ScaleRange::kRobust);
    QVERIFY(!robust.diverging);
    QVERIFY(robust.high < 1.0);
    QCOMPARE(scaleOf(samples, ScaleRange::kWhole).high, 1e9);
    const ValueScale parted = scaleOf({-1, 0, 3}, ScaleRange::kWhole);
    QVERIFY(parted.diverging);
    QCOMPARE(parted.low, -3.0);
    QCOMPARE(parted.position(0), 0.5);
    QCOMPARE(parted.color(std::nan("")), kNotANumber);
    QVERIFY(qBlue(parted.color(-3)) > qRed(parted.color(-3)));
    QVERIFY(qRed(parted.color(3)) > qBlue(parted.color(3)));
    QCOMPARE(scaleOf({5, 5, 5}, ScaleRange::kRobust).position(5), 0.5);
  }

  void singleScaleGetsLighterAllTheWay() {
    const ValueScale scale{0, 1, false};
    double before = -1;
    for (int i = 0; i <= 20; ++i) {
      const double lightness = qGray(scale.color(i / 20.0));
      QVERIFY2(lightness > before, qPrintable(QString::number(i)));
      before = lightness;
    }
  }

  void rgbPictureHasItsChannels() {
    const auto image = content({3, 4, 5}, [](int64_t i) { return i / 20 == 0 ? 255.f : i / 20 == 1 ? 128.f : 0.f; });
    TensorPictureRequest request{.content = image, .kind = PictureKind::kRgb, .range = ScaleRange::kByte};
    request.slice = imageSlice(image->dims(), ImageLayout::kChannelsFirst, &request.channelAxis);
    const TensorPicture picture = makePicture(request);
    QCOMPARE(picture.image.size(), QSize(5, 4));
    QCOMPARE(picture.image.pixel(2, 2), qRgb(255, 128, 0));
    QVERIFY(picture.valueText(2, 2).contains("255 / 128 / 0"));
  }

  void largeSlicesAreSampled() {
    const auto large = content({3, 5000}, [](int64_t i) { return static_cast<float>(i % 5000); });
    const TensorPicture picture =
        makePicture({.content = large, .slice = firstSlice(large->dims()), .kind = PictureKind::kHeat});
    QCOMPARE(picture.rowStep, 1);
    QCOMPARE(picture.columnStep, 3);
    QVERIFY(picture.image.width() <= kMostPixels);
    QCOMPARE(picture.element(1, 1), 5003);
  }

  void hundredMillionElementsAreJustATable() {
    Tensor tensor = *Tensor::create(ElementType::kInt8, {100'000'000});
    std::fill_n(static_cast<int8_t*>(tensor.mutableData()), 100'000'000, int8_t{7});
    const auto huge = *study::TensorContent::make("huge", RuntimeValue(std::move(tensor)), CancelToken());
    SliceModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.present(huge, firstSlice(huge->dims()));
    QCOMPARE(model.rowCount(), SliceModel::kMostRows);
    model.moveWindow(9'999'000, 0);
    QCOMPARE(model.rowCount(), 1000);
    QCOMPARE(model.index(999, 9).data().toString(), "7");
    QCOMPARE(model.headerData(999, Qt::Vertical).toString(), "99999990");
  }

  void tableGoesToAnyElement() {
    test::ToolBench bench("tensor");
    SlicePage page(bench.context);
    page.resize(600, 400);
    page.show();
    page.present(content({2, 3, 20'000, 4}, [](int64_t i) { return static_cast<float>(i % 97); }));
    QVERIFY(page.goTo("1,2,19999,3"));
    auto* view = page.findChild<QTableView*>();
    QCOMPARE(view->currentIndex().data().toString(), QString::number((2 * 3 * 20'000 * 4 - 1) % 97));
    QVERIFY(view->currentIndex().data(Qt::ToolTipRole).toString().startsWith("[1, 2, 19999, 3]"));
    QVERIFY(!page.goTo("2,0,0,0"));
    QVERIFY(page.goTo("5"));
    QCOMPARE(view->currentIndex().row(), 1);
    QCOMPARE(view->currentIndex().column(), 1);
    page.present(content({7}, [](int64_t i) { return static_cast<float>(i); }));
    QVERIFY(page.goTo("6"));
    QCOMPARE(view->currentIndex().data().toString(), "6");
    QVERIFY(page.copyText().startsWith("0\t1\t2"));
    page.present(nullptr);
    QCOMPARE(view->model()->rowCount(), 0);
  }

  void barsKeepSmallCountsInSight() {
    const std::vector<double> plain = barHeights({0, 1, 1'000'000}, false),
                              logarithmic = barHeights({0, 1, 1'000'000}, true);
    QCOMPARE(plain[0], 0.0);
    QVERIFY(plain[1] > 0.005);
    QCOMPARE(plain[2], 1.0);
    QVERIFY(logarithmic[1] > plain[1]);
    QVERIFY(barHeights({}, true).empty());
  }

  void differenceIsATensor() {
    const auto a = content({2, 2}, [](int64_t i) { return static_cast<float>(i); }, "a");
    const auto b = content({2, 2}, [](int64_t i) { return static_cast<float>(i * i); }, "b");
    const auto change = differenceOf(*a, *b, CancelToken());
    QVERIFY(change);
    QCOMPARE((*change)->number(3), 6.0);
    QCOMPARE((*change)->statistics().zeros, 2);
    QVERIFY(!differenceOf(*a, *content({4}, [](int64_t) { return 0.f; }), CancelToken()));
  }

  void pagesShowContents() {
    test::ToolBench bench("tensor");
    const auto wave = content({1, 8, 40, 60}, [](int64_t i) {
      return i == 100 ? std::nanf("")
                      : std::sin(static_cast<float>(i % 2400) / 90.f) * static_cast<float>(1 + i / 2400);
    });
    for (TensorPage* page : makeTensorPages(bench.context)) {
      const std::unique_ptr<TensorPage> owner(page);
      page->setStyleSheet(bench.themes.current().styleSheet());
      page->setPalette(bench.themes.current().palette());
      page->resize(640, 420);
      page->show();
      auto* picture = qobject_cast<PicturePage*>(page);
      QSignalSpy made(picture ? static_cast<QObject*>(picture) : page,
                      picture ? SIGNAL(made()) : SIGNAL(windowTitleChanged(QString)));
      page->present(wave);
      QCoreApplication::processEvents();
      if (picture && made.isEmpty()) QVERIFY(made.wait());
      QVERIFY(page->shows(*wave));
      QCoreApplication::processEvents();
      const QImage seen = page->grab().toImage();
      QVERIFY(!seen.isNull());
      if (const QString to = qEnvironmentVariable("CUTAWAY_PICTURES"); !to.isEmpty())
        seen.save(to + "/tensor-" + page->windowTitle() + ".png");
    }
  }

  void pictureTellsTheValueUnderThePointer() {
    test::ToolBench bench("tensor");
    PictureView view(&bench.themes);
    view.resize(400, 400);
    view.show();
    const auto small = content({4, 4}, [](int64_t i) { return static_cast<float>(i); });
    view.present(makePicture({.content = small, .slice = firstSlice(small->dims())}), false);
    QSignalSpy spy(&view, &PictureView::pointed);
    for (int y = 0; y < 400 && spy.isEmpty(); y += 10)
      if (view.pixelAt(QPointF(200, y)).y() == 2) QTest::mouseMove(&view, QPoint(200, y));
    QTRY_VERIFY(!spy.isEmpty());
    QVERIFY2(spy.last().first().toString().startsWith("[2, "), qPrintable(spy.last().first().toString()));
    const double zoom = view.zoom();
    QTest::keyClick(&view, Qt::Key_Plus);
    QVERIFY(view.zoom() > zoom);
    QTest::keyClick(&view, Qt::Key_0);
    QCOMPARE(view.zoom(), zoom);
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(spy.last().first().toString().contains("= "));
  }
};

QTEST_MAIN(TestTensorPanel)
#include "tst_tensor_panel.moc"
