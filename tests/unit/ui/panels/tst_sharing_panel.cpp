// Weight sharing in the window: two models into one binary, from the form to the files.
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "engine/graph/text.h"
#include "engine/stages/load/save.h"
#include "providers/cpu/provider.h"
#include "providers/onednn/provider.h"
#include "tests/unit/ui/panels/tool_bench.h"
#include "ui/document/study_job.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/sharing/sharing_form.h"
#include "ui/panels/sharing/sharing_rows.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

// Two models over the same 64 by 64 weights.
std::string modelText(const char* last) {
  std::string values;
  for (int i = 0; i < 64 * 64; ++i)
    values += (i == 0 ? "" : ",") + std::to_string(i % 7 - 3);
  return "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[2,64] x) => (float[2,64] y) <float[64,64] w = {" +
         values + "}> { a = MatMul (x, w) b = Relu (a) c = MatMul (b, w) y = " + last + " (c) }";
}

class TestSharingPanel : public QObject {
  Q_OBJECT

 private slots:
  void requests() {
    const SharingWish wish{.models = {"/m/a.onnx", "/m/b.onnx"},
                           .provider = "openvino",
                           .options = " precision=bf16, device=CPU",
                           .folder = "/out",
                           .overwrite = true};
    session::SessionOptions settings;
    settings.providers = {"onednn"};
    settings.config = {{"ep.context_file_path", "elsewhere.onnx"}};
    const auto request = sharingRequest(wish, settings);
    QVERIFY2(request, request ? "" : describe(request.error()).c_str());
    QCOMPARE(request->session.providers, std::vector<std::string>{"openvino{precision=bf16,device=CPU}"});
    QVERIFY(request->session.config.empty() && request->overwrite);
    QCOMPARE(request->jobs[1].output.string(), std::string("/out/b_ctx.onnx"));
    QCOMPARE(sharingCommand(wish, 3),
             QStringLiteral("ep_weight_sharing_ctx_gen -e openvino -i 'precision|bf16 device|CPU' "
                            "--opt-level 3 --force /m/a.onnx,/m/b.onnx"));
    SharingWish twice = wish;
    twice.models = {"/m/a.onnx", "/m/a.onnx"};
    QVERIFY(!sharingRequest(twice, settings));
  }

  void twoModelsBecomeThreeFiles() {
    QTemporaryDir folder;
    const QString first = folder.filePath(QStringLiteral("prefill.onnx")),
                  second = folder.filePath(QStringLiteral("decode.onnx")), out = folder.filePath(QStringLiteral("out"));
    QVERIFY(load::save(*parseModelText(modelText("Sigmoid")), first.toStdString(), {}));
    QVERIFY(load::save(*parseModelText(modelText("Tanh")), second.toStdString(), {}));
    QVERIFY(QDir().mkpath(out));
    auto host = std::make_shared<EngineHost>();
    host->providers = {onednnProvider(), cpuProvider()};
    host->createSession = session::Session::create;
    test::ToolBench bench("sharing", host);
    bench.document.open(first);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.document.service().busy(), 60000);
    auto* form = bench.find<SharingForm>();
    auto* models = bench.find<QListWidget>("sharing/models");
    auto* start = bench.find<EmptyState>()->button();
    QTRY_COMPARE(models->count(), 1);  // the open model
    QVERIFY(!start->isEnabled() && !form->problem().isEmpty());
    form->addModels({second, second});
    QCOMPARE(models->count(), 2);
    for (QLineEdit* line : form->findChildren<QLineEdit*>())
      if (line->text() == QFileInfo(first).absolutePath()) line->setText(out);
    QTRY_VERIFY(start->isEnabled());
    bench.picture(QStringLiteral("sharing-form"));
    start->click();
    auto* job = bench.find<StudyJob>();
    QTRY_VERIFY_WITH_TIMEOUT(!job->busy(), 60000);
    const auto written = job->result<ContextWritten>();
    QVERIFY2(written, job->error() ? describe(*job->error()).c_str() : "cancelled");
    QCOMPARE(QDir(out).entryList(QDir::Files),
             (QStringList{"decode_ctx.onnx", "prefill_ctx.onnx", "prefill_onednn.bin"}));
    QVERIFY(written->sharedBytes >= 64 * 64 * 4);
    const ReportRows rows = sharingRows(written);
    QCOMPARE(bench.find<QTableView>()->model()->rowCount(), rows.rows);
    QCOMPARE(rows.cell(0, 1), QStringLiteral("prefill_onednn.bin"));
    QVERIFY2(sharingSentence(*written).startsWith("Models written: 2, binaries: 1. "),
             qPrintable(sharingSentence(*written)));
    bench.picture(QStringLiteral("sharing-result"));
    // What is there already is not replaced unasked.
    job->start();
    QTRY_VERIFY_WITH_TIMEOUT(!job->busy(), 60000);
    QVERIFY(job->error() && job->error()->message.find("exists") != std::string::npos);
  }
};

}  // namespace

QTEST_MAIN(TestSharingPanel)
#include "tst_sharing_panel.moc"
