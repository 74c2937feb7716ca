// The banner over the graph: all of a message can be read, however narrow the window and however long the names in it.
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QVBoxLayout>

#include "ui/shell/error_banner.h"

using namespace cutaway;
using namespace cutaway::ui;

class TestErrorBanner : public QObject {
  Q_OBJECT
 private slots:
  void narrowWindowsCutNothing_data() {
    QTest::addColumn<int>("width");
    for (const int width : {480, 720, 1400})
      QTest::addRow("%d", width) << width;
  }
  void narrowWindowsCutNothing() {
    QFETCH(int, width);
    const std::string node = "If_0_else_branch__Inline_0__/encoder/layers.0/attention_block/stft/Conv";
    QWidget window;
    auto* banner = new ErrorBanner;
    auto* graph = new QWidget;
    graph->setMinimumHeight(60);
    auto* column = new QVBoxLayout(&window);
    column->addWidget(banner);
    column->addWidget(graph, 1);
    banner->present(Error{ErrorCode::kInvalidArgument,
                          "Conv '" + node + "': the window of 128 does not fit an input of 33 with its padding",
                          {.node = node}});
    window.show();
    window.resize(width, 300);
    QCoreApplication::processEvents();
    for (const QLabel* label : banner->findChildren<QLabel*>()) {
      if (label->isHidden() || label->text().isEmpty()) continue;
      QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
      QVERIFY2(label->width() >= label->minimumSizeHint().width(), qPrintable(label->text()));
    }
    for (const QPushButton* button : banner->findChildren<QPushButton*>())
      if (!button->isHidden()) QVERIFY(banner->rect().contains(QRect(button->mapTo(banner, QPoint()), button->size())));
  }
};

QTEST_MAIN(TestErrorBanner)
#include "tst_error_banner.moc"
