// Options of plug-ins: what the tables allow and refuse, in the words that people read, and that libraries know the
// names.
#include <algorithm>
#include <fstream>
#include <iterator>

#include <QtTest/QtTest>

#include "providers/onnxruntime/options/known_options.h"
#include "providers/onnxruntime/options/plugin_options.h"

using namespace cutaway;
using namespace cutaway::onnxruntime;

namespace {

constexpr const char* kQnn = "QNNExecutionProvider";
constexpr const char* kWebgpu = "WebGpuExecutionProvider";
constexpr const char* kOpenvino = "OpenVINOExecutionProvider";

// "a=1 b=2"
TextPairs pairs(const QString& text) {
  TextPairs pairs;
  for (const QString& each : text.split(' ', Qt::SkipEmptyParts)) {
    const qsizetype equals = each.indexOf('=');
    pairs.emplace_back(each.left(equals).toStdString(), each.mid(equals + 1).toStdString());
  }
  return pairs;
}

}  // namespace

class TestPluginOptions : public QObject {
  Q_OBJECT
 private slots:
  void everyShippedTableIsRead() {
    QCOMPARE(knownProviders().size(), optionTables().size());
    QVERIFY(optionTables().size() >= 3);
    for (const KnownProvider& provider : knownProviders()) {
      QVERIFY2(!provider.options.empty(), provider.provider.c_str());
      for (const KnownOption& option : provider.options) {
        QVERIFY2(!option.about.empty(), option.name.c_str());
        QCOMPARE(std::ranges::count(provider.options, option.name, &KnownOption::name), 1);
        for (const Together& rule : option.together)
          QVERIFY2(std::ranges::count(provider.options, rule.other, &KnownOption::name) == 1, rule.other.c_str());
      }
    }
  }

  // What the table calls the default is a value that it takes.
  void defaultsAreAllowed() {
    for (const KnownProvider& provider : knownProviders()) {
      for (const KnownOption& option : provider.options) {
        if (option.standard.empty()) continue;
        TextPairs given = provider.provider == kQnn ? pairs("backend_type=htp soc_model=69") : TextPairs{};
        given.emplace_back(option.name, option.standard);
        const auto notes = checkPluginOptions({provider.provider, {}}, given);
        QVERIFY2(notes.has_value(), notes ? "" : notes.error().message.c_str());
      }
    }
  }

  void good_data() {
    QTest::addColumn<QString>("provider");
    QTest::addColumn<QString>("options");
    const auto row = [](const char* provider, const char* options) {
      QTest::addRow("%s %s", provider, options) << provider << options;
    };
    row(kQnn, "backend_type=htp soc_model=69");
    row(kQnn, "backend_type=htp soc_model=SM8750");
    row(kQnn, "backend_type=htp soc_model=sm8750");  // as the library
    row(kQnn, "backend_type=htp soc_model=43,69 htp_arch=73,79");
    row(kQnn, "backend_path=/opt/libQnnHtp.so");
    row(kQnn, "backend_type=saver");  // needs no chip
    row(kQnn, "backend_type=htp soc_model=SC8480XP htp_bf16_enable=1");
    row(kQnn, "backend_type=htp soc_model=69 htp_bf16_enable=0");
    row(kQnn, "backend_type=htp soc_model=69 enable_htp_prepare_only=1 enable_htp_prepare_and_load=0");
    row(kWebgpu, "");
    row(kWebgpu, "preferredLayout=NCHW maxNumPendingDispatches=4096");
    row(kOpenvino, "load_config={}");
    row("NobodysExecutionProvider", "");
  }
  void good() {
    QFETCH(QString, provider);
    QFETCH(QString, options);
    const std::string name = provider.toStdString();
    const auto notes = checkPluginOptions({name, {}}, pairs(options));
    QVERIFY2(notes.has_value(), notes ? "" : notes.error().message.c_str());
    QVERIFY(notes->empty());
  }

  void bad_data() {
    QTest::addColumn<QString>("provider");
    QTest::addColumn<QString>("options");
    QTest::addColumn<QStringList>("said");
    const auto row = [](const char* provider, const char* options, const QStringList& said) {
      QTest::addRow("%s %s", provider, options) << provider << options << said;
    };
    const QString target = "backend_type=htp soc_model=69 ";
    const auto ofTarget = [&](const char* options, const QStringList& said) {
      row(kQnn, qPrintable(target + options), said);
    };
    row(kQnn, "", {"needs option 'backend_type'", "it takes htp"});
    row(kQnn, "soc_model=69", {"needs option 'backend_type'"});
    row(kQnn, "backend_type=htp", {"needs option 'soc_model'", "69 (SM8750)", "30 (SM8350)"});
    row(kQnn, "backend_type=htb soc_model=69", {"'backend_type'", "'htb'", "did you mean 'htp'"});
    row(kQnn, "backend_type=htp soc_modell=69", {"no option 'soc_modell'", "did you mean 'soc_model'", "2.7.0"});
    row(kQnn, "backend_type=htp soc_model=34", {"'soc_model'", "'34'"});          // a name, and takes nothing
    row(kQnn, "backend_type=htp soc_model=SA8295", {"'SA8295'", "39 (SA8295)"});  // a name for people alone
    row(kQnn, "backend_type=htp soc_model=43,70", {"'70'"});
    row(kQnn, "backend_type=htp soc_model=", {"'soc_model'", "''"});
    row(kQnn, "backend_type=htp backend_path=x soc_model=69", {"'backend_type'", "'backend_path'", "exclude"});
    ofTarget("htp_arch=74", {"'htp_arch'", "'74'", "79"});
    ofTarget("htp_arch=73,79", {"2 values", "soc_model has 1"});
    ofTarget("htp_bf16_enable=1", {"needs soc_model of 88 or more, not 69"});
    ofTarget("vtcm_mb=-1", {"'vtcm_mb'", "'-1'", "whole number from 0 on"});
    ofTarget("vtcm_mb=8x", {"'8x'"});
    ofTarget("vtcm_mb=99999999999999999999", {"'vtcm_mb'"});
    ofTarget("enable_htp_fp16_precision=true", {"'true'", "it takes 0, 1"});
    ofTarget("htp_performance_mode=bursts", {"did you mean 'burst'"});
    ofTarget("htp_share_resource_optimization=0", {"it takes 1"});
    ofTarget("enable_htp_prepare_only=1 enable_htp_prepare_and_load=1", {"exclude"});
    ofTarget("framework_op_trace_dir=/tmp", {"does nothing without enable_framework_op_trace=1"});
    ofTarget("profiling_file_path=", {"'profiling_file_path'", "is empty"});
    ofTarget("soc_model=43", {"'soc_model'", "given twice"});
    row(kWebgpu, "preferredLayout=nhwc", {"did you mean 'NHWC'"});
    row(kWebgpu, "preferedLayout=NHWC", {"did you mean 'preferredLayout'"});
    row(kWebgpu, "maxNumPendingDispatches=0", {"from 1 to 4096"});
    row(kWebgpu, "webgpuDevice=1", {"cannot be set"});
    row(kOpenvino, "num_of_threads=1", {"load_config", "INFERENCE_NUM_THREADS"});
  }
  void bad() {
    QFETCH(QString, provider);
    QFETCH(QString, options);
    QFETCH(QStringList, said);
    const std::string name = provider.toStdString();
    const auto notes = checkPluginOptions({name, {}}, pairs(options));
    QVERIFY(!notes.has_value());
    QCOMPARE(notes.error().code, ErrorCode::kInvalidArgument);
    const QString message = QString::fromStdString(notes.error().message);
    for (const QString& each : said)
      QVERIFY2(message.contains(each), qPrintable(message));
  }

  // A newer library may have options that the table does not know: they go through, and it is said.
  void anotherVersionIsNotedAndStillChecked() {
    const PluginVersion newer{kQnn, "2.8.0"};
    const auto notes = checkPluginOptions(newer, pairs("backend_type=htp soc_model=69 brand_new=1"));
    QVERIFY(notes.has_value());
    QCOMPARE(notes->size(), size_t{2});
    QVERIFY(notes->front().find("2.8.0") != std::string::npos);
    QVERIFY(notes->back().find("brand_new") != std::string::npos);
    QVERIFY(!checkPluginOptions(newer, pairs("backend_type=htp soc_model=69 vtcm_mb=x")).has_value());
    QVERIFY(!checkPluginOptions(newer, pairs("backend_type=htp")).has_value());
  }

  void nothingIsKnownOfAnotherProvider() {
    const auto notes = checkPluginOptions({"NobodysExecutionProvider", "1.0"}, pairs("a=1"));
    QVERIFY(notes.has_value());
    QCOMPARE(notes->size(), size_t{1});
    QVERIFY(notes->front().find("unchecked") != std::string::npos);
  }

  void tablesThatAreNone_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("said");
    const QString heads = "provider\tP\npackage\tp\nversion\t1\n";
    const QString rows = heads + "option\tvalues\tdefault\tneeded\ttogether\tabout\n";
    QTest::newRow("empty") << "" << "provider";
    QTest::newRow("no version") << "provider\tP\npackage\tp\n" << "version";
    QTest::newRow("another head") << heads + "colour\tred\n" << "line 4";
    QTest::newRow("columns") << rows + "a\ttext\n" << "line 5: 2 columns";
    QTest::newRow("span") << rows + "a\twhole x..\t\t\t\t\n" << "values";
    QTest::newRow("empty value") << rows + "a\tb||c\t\t\t\t\n" << "values";
    QTest::newRow("needed") << rows + "a\ttext\t\tsometimes\t\t\n" << "needed";
    QTest::newRow("together") << rows + "a\ttext\t\t\tnear b\t\n" << "together";
    QTest::newRow("at least") << rows + "a\ttext\t\t\tat_least b x\t\n" << "together";
  }
  void tablesThatAreNone() {
    QFETCH(QString, text);
    QFETCH(QString, said);
    const Result<KnownProvider> table = readOptionTable(text.toStdString());
    QVERIFY(!table.has_value());
    QVERIFY2(table.error().message.find(said.toStdString()) != std::string::npos, table.error().message.c_str());
  }

#ifdef CUTAWAY_PLUGIN_LIBRARIES
  // Every option's name stands in the library it is said to be of.
  void librariesKnowTheNames() {
    const QStringList libraries = QString(CUTAWAY_PLUGIN_LIBRARIES).split(',', Qt::SkipEmptyParts);
    QVERIFY(!libraries.isEmpty());
    for (const KnownProvider& provider : knownProviders()) {
      QString folder = QString::fromStdString("/" + provider.package + "/");
      folder.replace('-', '_');
      for (const QString& library : libraries) {
        if (!library.contains(folder)) continue;
        std::ifstream file(library.toStdString(), std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        QVERIFY2(!bytes.empty(), qPrintable(library));
        for (const KnownOption& option : provider.options)
          QVERIFY2(bytes.find(option.name + '\0') != std::string::npos, option.name.c_str());
      }
    }
  }
#endif
};

QTEST_APPLESS_MAIN(TestPluginOptions)
#include "tst_plugin_options.moc"
