// What engine and providers tell, as the window tells it.
#include <QTest>

#include "engine/session/assumed_dims.h"
#include "ui/document/window_words.h"

using namespace cutaway;
using namespace cutaway::ui;

class TestWindowWords : public QObject {
  Q_OBJECT

 private slots:
  void optionsBecomePlacesOfTheWindow_data() {
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<QString>("shown");
    QTest::newRow("nothing to change") << "mode nearest or linear"
                                       << "mode nearest or linear";
    QTest::newRow("static shapes") << "fixed dimensions (--dim NAME=VALUE)"
                                   << "fixed dimensions (the bar Shapes)";
    QTest::newRow("a size") << "sizes for its dimensions (--dim), or dynamic_shapes=1"
                            << "sizes for its dimensions (the bar Shapes), or dynamic_shapes=1";
    QTest::newRow("twice") << "a size (--dim); a number of steps (--dim)"
                           << "a size (the bar Shapes); a number of steps (the bar Shapes)";
    QTest::newRow("plug-in") << "fix the free dimensions (--dim), so that every shape is known before the run"
                             << "fix the free dimensions (the bar Shapes), so that every shape is known before the run";
    QTest::newRow("made-up inputs") << QStringLiteral("random inputs have 1 for the open dimensions 'n': ") +
                                           QLatin1String(session::kNamedDimsRemedy)
                                    << "random inputs have 1 for the open dimensions 'n': the bar Shapes gives them "
                                       "sizes";
    QTest::newRow("made-up inputs without names")
        << QStringLiteral("open and have no name: ") + QLatin1String(session::kNamelessDimsRemedy)
        << "open and have no name: give inputs from files, under Inputs";
    QTest::newRow("memory of a device")
        << "a smaller batch, fp16, --order memory, or more nodes on cpu (--pin, cuda{memory_limit=...})"
        << "a smaller batch, fp16, least memory first as the execution order, or more nodes on cpu (pinned in their "
           "menu, cuda{memory_limit=...})";
    QTest::newRow("custom operators")
        << "a custom operator runs when its library is opened (--custom-ops)"
        << "a custom operator runs when its library is opened (cutaway --custom-ops PATH)";
    QTest::newRow("nodes of custom operators")
        << "it takes all, or custom (nodes of custom operators, whose libraries --custom-ops names)"
        << "it takes all, or custom (nodes of custom operators, whose libraries cutaway --custom-ops names)";
    QTest::newRow("profiles") << "known are: QNN; a path to a .json file and --profile-dir DIR work as well"
                              << "known are: QNN; a path to a .json file and cutaway --profile-dir DIR work as well";
    QTest::newRow("no profile") << "as in declared(TensorRT); 'cutaway-cli providers' lists those that are shipped"
                                << "as in declared(TensorRT); the model settings list those that are shipped";
    QTest::newRow("plug-ins") << "no plug-in is there: --plugin FOLDER"
                              << "no plug-in is there: cutaway --plugin FOLDER";
    QTest::newRow("plug-in providers") << "or name its library: --ep-library qnn=PATH"
                                       << "or name its library: CUTAWAY_EP_LIBRARIES=qnn=PATH";
    QTest::newRow("records") << "needs a record; 'partition MODEL --providers ... --record FILE' makes one"
                             << "needs a record; 'cutaway --providers ... --record FILE MODEL' makes one";
  }
  void optionsBecomePlacesOfTheWindow() {
    QFETCH(QString, sentence);
    QFETCH(QString, shown);
    QCOMPARE(told(sentence.toStdString()), shown);
  }

  void errorsKeepCodeAndPlace() {
    const QString words = told(Error{ErrorCode::kInvalidArgument, "no size (--dim)", {{}, "conv1", {}}});
    QVERIFY2(words.startsWith(QLatin1String("INVALID_ARGUMENT")), qPrintable(words));
    QVERIFY2(words.contains(QLatin1String("no size (the bar Shapes)")) && words.contains(QLatin1String("conv1")),
             qPrintable(words));
  }
};

QTEST_GUILESS_MAIN(TestWindowWords)
#include "tst_window_words.moc"
