// Configurations: file, line, round trips, messages about mistakes, what they change, and onnxruntime's keys.

#include <fstream>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "app/providers/provider_table.h"
#include "engine/session/configuration/configuration.h"
#include "engine/session/configuration/onnxruntime_code.h"
#include "engine/session/configuration/provider_key.h"
#include "engine/session/configuration/session_config.h"

using namespace cutaway;

namespace {

session::Configuration full() {
  session::Configuration all;
  all.providers = {"openvino", "declared(TensorRT)", "cpu"};
  all.providerOptions["openvino"] = {{"device", "CPU"}, {"precision", "f32"}};
  all.pins = {{NodePin::Kind::kNode, "conv1", "cpu"},
              {NodePin::Kind::kScope, "/encoder/layer.0", "openvino"},
              {NodePin::Kind::kOperator, "com.microsoft:Gelu", "declared(TensorRT)"}};
  all.minimumGroupNodes = 4;
  all.optimizationLevel = 2;
  all.precision = "bf16";
  all.order = "memory";
  all.planRules = "onnxruntime";
  all.inPlace = false;
  all.executor = "dataflow";
  all.interThreads = 3;
  all.threads = 2;
  all.keys = {{"session.disable_cpu_ep_fallback", "1"}, {"session.name_based_layer_assignment", "cpu(a); gpu(\"b\")"}};
  all.dims = {{"batch", 3}};
  return all;
}

void compare(const session::Configuration& a, const session::Configuration& b) {
  QVERIFY(a.providers == b.providers);
  QVERIFY(a.providerOptions == b.providerOptions);
  QVERIFY(a.pins == b.pins);
  QVERIFY(a.minimumGroupNodes == b.minimumGroupNodes);
  QVERIFY(a.optimizationLevel == b.optimizationLevel);
  QVERIFY(a.precision == b.precision);
  QVERIFY(a.order == b.order);
  QVERIFY(a.planRules == b.planRules);
  QVERIFY(a.inPlace == b.inPlace);
  QVERIFY(a.executor == b.executor);
  QVERIFY(a.interThreads == b.interThreads);
  QVERIFY(a.threads == b.threads);
  QVERIFY(a.keys == b.keys);
  QVERIFY(a.dims == b.dims);
}

template <typename T>
QString messageOf(const Result<T>& result) {
  return result ? QString() : QString::fromStdString(result.error().message);
}

}  // namespace

class TestConfiguration : public QObject {
  Q_OBJECT

 private slots:
  void roundTrips() {
    const auto fromJson = session::configurationFromJson(session::configurationToJson(full()), "a.json");
    QVERIFY2(fromJson, qPrintable(messageOf(fromJson)));
    compare(*fromJson, full());
    const auto fromLine = session::readConfiguration(session::configurationLine(full(), builtProviders()));
    QVERIFY2(fromLine, qPrintable(messageOf(fromLine)));
    compare(*fromLine, full());
    compare(*session::readConfiguration(session::configurationLine({}, builtProviders())), {});
    compare(*session::configurationFromJson(session::configurationToJson({}), "a.json"), {});
    session::Configuration noPins;
    noPins.pins.emplace();
    compare(*session::readConfiguration(session::configurationLine(noPins, builtProviders())), noPins);
    compare(*session::configurationFromJson(session::configurationToJson(noPins), "a.json"), noPins);
  }

  // A name that is not quoted would take the settings behind it for its value.
  void oddNamesInALine() {
    session::Configuration odd;
    odd.keys["session.\"a;b\"=c\\"] = "1";
    odd.providerOptions["cpu"]["x=\"y"] = "2";
    odd.dims["a=b;\"c"] = 3;
    odd.threads = 2;
    const std::string line = session::configurationLine(odd, builtProviders());
    const auto read = session::readConfiguration(line);
    QVERIFY2(read, qPrintable(messageOf(read)));
    compare(*read, odd);
  }

  void lines() {
    const auto read = session::readConfiguration(
        " providers=onednn{threads=2},cpu ; pin=op:Resize=cpu;opt-level=0; pin = node:a=b=onednn; session.x=1 ");
    QVERIFY2(read, qPrintable(messageOf(read)));
    QVERIFY((*read->providers == std::vector<std::string>{"onednn", "cpu"}));
    QCOMPARE(read->providerOptions.at("onednn").at("threads"), std::string("2"));
    QCOMPARE(read->pins->size(), size_t{2});
    QCOMPARE((*read->pins)[1].pattern, std::string("a=b"));
    QCOMPARE(*read->optimizationLevel, 0);
    QCOMPARE(read->keys.at("session.x"), std::string("1"));
    QVERIFY(!read->threads.has_value());
  }

  void earlierNameOfOnnxruntimesRules() {
    const auto read = session::readConfiguration("plan=reference");
    QVERIFY(read.has_value());
    QCOMPARE(*read->planRules, std::string("onnxruntime"));
  }

  void badLines_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("message");
    QTest::newRow("no setting") << "hello" << "'hello' is no setting";
    QTest::newRow("unknown") << "speed=9" << "no setting 'speed'";
    QTest::newRow("level") << "opt-level=4" << "opt-level is 0 to 3, not 4";
    QTest::newRow("number") << "threads=two" << "threads takes a number, not 'two'";
    QTest::newRow("group") << "min-group=0" << "min-group is 1 or more";
    QTest::newRow("precision") << "precision=int8" << "f32, f16 or bf16, not 'int8'";
    QTest::newRow("order") << "order=random" << "not 'random'";
    QTest::newRow("plan") << "plan=best" << "plan is cutaway, onnxruntime or onnxruntime-counters, not 'best'";
    QTest::newRow("executor") << "executor=parallel" << "executor is sequential or dataflow, not 'parallel'";
    QTest::newRow("in place") << "in-place=yes" << "in-place is 0 or 1, not 'yes'";
    QTest::newRow("workers") << "inter-threads=-1" << "inter-threads is 0 (automatic) to 4096, not -1";
    QTest::newRow("pin kind") << "pin=layer:a=cpu" << "'layer' is not node, scope or op";
    QTest::newRow("pin without provider") << "pin=op:Resize=" << "names no provider";
    QTest::newRow("pin without pattern") << "pin=op:=cpu" << "names no node";
    QTest::newRow("provider") << "providers=a,,b" << "empty entry";
    QTest::newRow("brackets") << "providers=a{x" << "lacks a '}'";
    QTest::newRow("quote") << "session.x=\"1" << "closing quote";
    QTest::newRow("quote in a name") << "session\".x=1\"" << "is no setting";
    QTest::newRow("file") << "/nowhere/at/all.json" << "'/nowhere/at/all.json' cannot be read";
  }
  void badLines() {
    QFETCH(QString, line);
    QFETCH(QString, message);
    const QString found = messageOf(session::readConfiguration(line.toStdString()));
    QVERIFY2(found.contains(message), qPrintable(found));
  }

  void badFiles_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const QString& members, const char* message) {
      QTest::newRow(name) << R"({"schema": "cutaway.configuration/1", )" + members + "}" << message;
    };
    QTest::newRow("a number that no double holds") << "{\"threads\": 1e999}"
                                                   << "c.json: number overflow parsing '1e999'";
    QTest::newRow("no JSON") << "{\n  \"schema\": \"cutaway.configuration/1\",\n  \"threads\": two\n}"
                             << "c.json: no JSON at line 3, column 15";
    QTest::newRow("no object") << "[]" << "c.json: a configuration is a JSON object, not array";
    QTest::newRow("no schema") << "{}" << "member schema is missing";
    QTest::newRow("other schema") << R"({"schema": "cutaway.configuration/9"})" << "not known here";
    row("unknown member", R"("speed": 1)", "no member 'speed'");
    row("type", R"("threads": "2")", "c.json: threads is a whole number, not string (\"2\")");
    row("fraction", R"("threads": 2.5)", "threads is a whole number");
    row("providers", R"("providers": "cpu")", "providers is a list of texts, not string");
    row("provider", R"("providers": ["cpu", 3])", "providers[1] is a text, not number");
    row("options", R"("options": {"openvino": "CPU"})", "options.openvino is an object of options");
    row("option", R"("options": {"openvino": {"device": []}})",
        "options.openvino.device is a text, a number or a switch");
    row("pin kind", R"("pins": [{"node": "a", "provider": "cpu"}, {"layer": "b", "provider": "cpu"}])",
        "pins[1]: a pin has no member 'layer'");
    row("two kinds", R"("pins": [{"node": "a", "scope": "b", "provider": "cpu"}])", "pins[0] needs exactly one of");
    row("no provider", R"("pins": [{"node": "a"}])", "pins[0] needs a provider");
    row("key", R"("keys": {"threads": "1"})", "'threads' is no session key");
    row("dim", R"("dims": {"n": -1})", "'n' is bound to 0 or more, not -1");
  }
  void badFiles() {
    QFETCH(QString, json);
    QFETCH(QString, message);
    const QString found = messageOf(session::configurationFromJson(json.toStdString(), "c.json"));
    QVERIFY2(found.contains(message), qPrintable(found));
  }

  void aFile() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("c.json").toStdString();
    std::ofstream(path) << session::configurationToJson(full());
    const auto read = session::readConfiguration(path);
    QVERIFY2(read, qPrintable(messageOf(read)));
    compare(*read, full());
  }

  void applies() {
    session::SessionOptions options;
    options.providers = {"openvino{device=GPU}", "cpu"};
    options.threads = 7;
    options.config["session.x"] = "0";
    const auto change = session::readConfiguration(
        "ep.openvino.device=CPU; ep.onednn.cache=1; session.x=1; pin=op:Add=cpu; min-group=3; dim=n=5");
    QVERIFY2(change, qPrintable(messageOf(change)));
    QVERIFY(change->applyTo(options, builtProviders()).has_value());
    QCOMPARE(options.providers[0], std::string("openvino{device=CPU}"));
    QCOMPARE(options.config.at("ep.onednn.cache"), std::string("1"));
    QCOMPARE(options.config.at("session.x"), std::string("1"));
    QCOMPARE(options.threads, 7);
    QCOMPARE(options.minimumGroupNodes, int64_t{3});
    QCOMPARE(options.dims.at("n"), int64_t{5});
    session::SessionOptions again;
    QVERIFY(session::configurationOf(options).applyTo(again, builtProviders()).has_value());
    QCOMPARE(again.providers, options.providers);
    QVERIFY(again.pins == options.pins);
    QVERIFY(again.config == options.config);
  }

  // Whose option a key is, by the names that are known: provider, option and whether others might be meant.
  void providerKeys_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QStringList>("known");
    QTest::addColumn<QStringList>("parts");  // empty: no key of a provider
    QTest::addColumn<bool>("isCertain");
    const auto row = [](const char* key, const QStringList& known, const QStringList& parts, bool isCertain = true) {
      QTest::addRow("%s (%s)", key, qPrintable(known.join(u' '))) << key << known << parts << isCertain;
    };
    row("ep.openvino.device", {}, {"openvino", "device"});
    row("ep.my.chip.mode", {}, {"my", "chip.mode"}, false);
    row("ep.my.chip.mode", {"my.chip"}, {"my.chip", "mode"});
    row("ep.my.chip.mode", {"my", "my.chip"}, {"my.chip", "mode"});
    row("ep.my.chip.mode", {"my", "your.chip"}, {"my", "chip.mode"});
    row("ep.my.chipset.mode", {"my.chip"}, {"my", "chipset.mode"}, false);
    row("ep.my.chip", {"my.chip"}, {"my", "chip"});
    row("ep.\"my.chip\".mode", {}, {"my.chip", "mode"});
    row("ep.\"my.chip\".mode.fast", {"my"}, {"my.chip", "mode.fast"});
    row("ep.\"a\\\"b\".c", {}, {"a\"b", "c"});
    row("ep.declared(NPU-1.0).key", {}, {"declared(NPU-1.0)", "key"});
    row("ep.\"my.chip.mode", {}, {});
    row("ep.\"my.chip\"mode", {}, {});
    row("ep.context_enable", {"context_enable"}, {});
    row("ep..mode", {}, {});
    row("ep.my.", {"my"}, {});
    row("session.x.y", {"session.x"}, {});
  }
  void providerKeys() {
    QFETCH(QString, key);
    QFETCH(QStringList, known);
    QFETCH(QStringList, parts);
    QFETCH(bool, isCertain);
    std::vector<std::string> names;
    for (const QString& name : known)
      names.push_back(name.toStdString());
    const auto found = session::splitProviderKey(key.toStdString(), names);
    QCOMPARE(found.has_value(), !parts.isEmpty());
    if (!found) return;
    QCOMPARE(found->provider, parts[0].toStdString());
    QCOMPARE(found->option, parts[1].toStdString());
    QCOMPARE(found->isCertain, isCertain);
    const std::string printed = session::printProviderKey(found->provider, found->option);
    for (const std::vector<std::string>& others : {names, {}, {"my", "my.chip", "my.chip.mode", "a"}}) {
      const auto again = session::splitProviderKey(printed, others);
      QVERIFY2(again && again->isCertain, printed.c_str());
      QCOMPARE(again->provider, found->provider);
      QCOMPARE(again->option, found->option);
    }
  }

  // The same key in a line, in a file, among the options of a session: for the provider of the list.
  void keysOfANameWithDots() {
    const auto optionsBy = [](const session::Configuration& change) {
      session::SessionOptions options;
      options.providers = {"my.chip{mode=slow}", "my", "cpu"};
      if (!change.applyTo(options, builtProviders())) options.providers.clear();
      return options.providers;
    };
    const std::vector<std::string> wanted{"my.chip{mode=fast}", "my", "cpu"};
    for (const char* line : {"ep.my.chip.mode=fast", "ep.\"my.chip\".mode=fast", "\"ep.my.chip.mode\"=fast",
                             "ep.my.chip.mode=fast; providers=my.chip,my,cpu", "providers=my.chip{mode=fast},my,cpu"}) {
      const auto read = session::readConfiguration(line);
      QVERIFY2(read, qPrintable(messageOf(read)));
      QVERIFY2(optionsBy(*read) == wanted, line);
      const auto again = session::readConfiguration(session::configurationLine(*read, builtProviders()));
      QVERIFY2(again && optionsBy(*again) == wanted, line);
      const auto stored = session::configurationFromJson(session::configurationToJson(*read), "a.json");
      QVERIFY2(stored && optionsBy(*stored) == wanted, line);
    }
    session::SessionOptions session;
    session.providers = {"my", "my.chip"};
    session.config = {{"ep.my.chip.mode", "fast"}, {"ep.\"my\".level", "2"}, {"ep.declared(A.B).key", "3"}};
    QVERIFY((session::providerOptions(session, "my.chip") == ProviderOptions{{"mode", "fast"}}));
    QVERIFY((session::providerOptions(session, "my") == ProviderOptions{{"level", "2"}}));
    QVERIFY((session::providerOptions(session, "declared(A.B)") == ProviderOptions{{"key", "3"}}));
    const session::Configuration of = session::configurationOf(session);
    QCOMPARE(of.providerOptions.at("my.chip").at("mode"), std::string("fast"));
    QVERIFY(of.keys.empty());
  }

  void precisionReachesOpenVino() {
    session::SessionOptions options;
    options.providers = {"openvino", "declared(TensorRT)", "cpu"};
    QVERIFY(session::readConfiguration("precision=f16")->applyTo(options, builtProviders()).has_value());
    QCOMPARE(options.providers, (std::vector<std::string>{"openvino{precision=f16}", "declared(TensorRT)", "cpu"}));
    QVERIFY(session::readConfiguration("precision=f32")->applyTo(options, builtProviders()).has_value());
    QCOMPARE(options.providers[0], std::string("openvino{precision=f32}"));
    session::SessionOptions cpu;
    QVERIFY(session::readConfiguration("precision=f32")->applyTo(cpu, builtProviders()).has_value());
    const auto refused = session::readConfiguration("precision=f16")->applyTo(cpu, builtProviders());
    QVERIFY2(!refused && refused.error().message.find("needs provider openvino") != std::string::npos,
             "f16 is silently dropped");
  }

  void reference_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("keys");
    QTest::newRow("providers") << "providers=onednn,cpu"
                               << QStringList{"providers = DnnlExecutionProvider, CPUExecutionProvider"};
    QTest::newRow("options") << "providers=openvino{device=CPU,precision=f16}"
                             << QStringList{"providers = OpenVINOExecutionProvider, CPUExecutionProvider",
                                            "OpenVINOExecutionProvider.device_type = CPU",
                                            "OpenVINOExecutionProvider.precision = FP16"};
    QTest::newRow("bf16")
        << "providers=openvino{precision=bf16}"
        << QStringList{
               "providers = OpenVINOExecutionProvider, CPUExecutionProvider",
               "# precision bf16: OpenVINOExecutionProvider.load_config names a file with INFERENCE_PRECISION_HINT"};
    QTest::newRow("a backend") << "providers=declared(QNN-HTP),cpu"
                               << QStringList{"providers = QNNExecutionProvider, CPUExecutionProvider",
                                              "QNNExecutionProvider.backend_type = htp"};
    QTest::newRow("no counterpart") << "providers=skeleton,cpu"
                                    << QStringList{"providers = CPUExecutionProvider",
                                                   "# provider skeleton has no counterpart in onnxruntime"};
    QTest::newRow("levels") << "opt-level=0; threads=2; order=memory"
                            << QStringList{"graph_optimization_level = ORT_DISABLE_ALL", "intra_op_num_threads = 2",
                                           "execution_order = MEMORY_EFFICIENT"};
    QTest::newRow("keys and dims") << "session.disable_cpu_ep_fallback=1; dim=n=4"
                                   << QStringList{"free_dimension_override.n = 4",
                                                  "session.disable_cpu_ep_fallback = 1"};
    QTest::newRow("pins")
        << "pin=node:conv1=cpu; pin=scope:/enc=declared(TensorRT); pin=op:Resize=cpu"
        << QStringList{
               "# pin op:Resize=cpu: there is no key; layer assignment goes by the names of nodes",
               "session.name_based_layer_assignment = cpu(conv1); gpu(/enc)",
               "# names are matched by parts there, and by device: other nodes whose name contains a pattern go along"};
    QTest::newRow("small groups") << "providers=declared(TensorRT); min-group=5"
                                  << QStringList{
                                         "providers = TensorrtExecutionProvider, CPUExecutionProvider",
                                         "TensorrtExecutionProvider.trt_min_subgraph_size = 5",
                                         "# groups of fewer than 5 nodes: only some providers have an option for it"};
  }
  void reference() {
    QFETCH(QString, line);
    QFETCH(QStringList, keys);
    QStringList found;
    for (const std::string& key :
         session::referenceKeys(*session::readConfiguration(line.toStdString()), builtProviders()))
      found << QString::fromStdString(key);
    QCOMPARE(found, keys);
  }

  void codeInOnnxruntimesWords() {
    session::SessionOptions options;
    options.providers = {"declared(TensorRT){precision=f16}", "cpu"};
    options.threads = 2;
    options.optimizationLevel = 1;
    options.executor = "dataflow";
    options.interThreads = 3;
    options.dims = {{"batch", 8}};
    options.config = {{"session.disable_cpu_ep_fallback", "1"}};
    const auto code = [&](session::CodeLanguage language) {
      return QString::fromStdString(
          session::onnxruntimeCode(language, "a \"b\".onnx", session::configurationOf(options), builtProviders()));
    };
    const QString python = code(session::CodeLanguage::kPython), cpp = code(session::CodeLanguage::kCpp);
    for (const char* line :
         {"ort.GraphOptimizationLevel.ORT_ENABLE_BASIC", "options.intra_op_num_threads = 2",
          "options.execution_mode = ort.ExecutionMode.ORT_PARALLEL", "options.inter_op_num_threads = 3",
          "options.add_free_dimension_override_by_name(\"batch\", 8)",
          "options.add_session_config_entry(\"session.disable_cpu_ep_fallback\", \"1\")", "\"a \\\"b\\\".onnx\"",
          R"(providers=[("TensorrtExecutionProvider", {"trt_fp16_enable": "1"}), "CPUExecutionProvider"])"})
      QVERIFY2(python.contains(QLatin1String(line)), qPrintable(line + QStringLiteral(" is not in\n") + python));
    for (const char* line :
         {"options.SetGraphOptimizationLevel(GraphOptimizationLevel::ORT_ENABLE_BASIC);",
          "options.SetIntraOpNumThreads(2);", "options.SetExecutionMode(ExecutionMode::ORT_PARALLEL);",
          "options.SetInterOpNumThreads(3);", "AddFreeDimensionOverrideByName(options, \"batch\", 8)",
          "options.AddConfigEntry(\"session.disable_cpu_ep_fallback\", \"1\");", "ORT_TSTR(\"a \\\"b\\\".onnx\")",
          R"(append("TensorrtExecutionProvider", {{"trt_fp16_enable", "1"}});)"})
      QVERIFY2(cpp.contains(QLatin1String(line)), qPrintable(line + QStringLiteral(" is not in\n") + cpp));
    QVERIFY(!cpp.contains(QStringLiteral("CPUExecutionProvider")));
  }

  // A plug-in of onnxruntime is called there as its contexts say, and its options are its own.
  void codeOfAPlugin() {
    const ProviderTable table{
        {.name = "chip", .contextSources = {{.name = "ChipExecutionProvider", .title = "Chip"}}},
        {.name = "host", .takesTheRest = true, .onnxruntime = {{.name = "HostExecutionProvider", .device = "cpu"}}}};
    session::SessionOptions options;
    options.providers = {"chip{mode=fast}"};
    const QString python = QString::fromStdString(
        session::onnxruntimeCode(session::CodeLanguage::kPython, "m.onnx", session::configurationOf(options), table));
    QVERIFY2(python.contains(QLatin1String(
                 "providers=[(\"ChipExecutionProvider\", {\"mode\": \"fast\"}), \"HostExecutionProvider\"]")),
             qPrintable(python));
    options.providers.clear();
    const QString plain = QString::fromStdString(
        session::onnxruntimeCode(session::CodeLanguage::kPython, "m.onnx", session::configurationOf(options), table));
    QVERIFY2(plain.contains(QLatin1String("providers=[\"HostExecutionProvider\"]")), qPrintable(plain));
  }

  // A row says everything that is known of a provider: one that nobody has heard of is written like those that are
  // built.
  void rowsSayEverything() {
    const ProviderTable table{
        {.name = "chip",
         .takesArgument = true,
         .precisionOption = "mode",
         .onnxruntime = {{.argument = "Two",
                          .name = "ChipExecutionProvider",
                          .device = "npu",
                          .fixed = {{"generation", "2"}},
                          .options = {{.option = "mode", .key = "chip_mode"},
                                      {.option = "mode", .value = "f16", .key = "chip_half", .word = "1"},
                                      {.option = "clock", .word = "there is no key"}},
                          .minimumGroupKey = "chip_min_nodes"}}},
        {.name = "host", .takesTheRest = true, .onnxruntime = {{.name = "HostExecutionProvider", .device = "cpu"}}}};
    const auto keysOf = [&](const char* line) {
      QStringList lines;
      for (const std::string& key : session::referenceKeys(*session::readConfiguration(line), table))
        lines << QString::fromStdString(key);
      return lines;
    };
    QCOMPARE(keysOf("providers=chip(Two){mode=f16,clock=3}; min-group=4"),
             (QStringList{"providers = ChipExecutionProvider, HostExecutionProvider",
                          "ChipExecutionProvider.generation = 2", "# clock 3: there is no key",
                          "ChipExecutionProvider.chip_half = 1", "ChipExecutionProvider.chip_min_nodes = 4",
                          "# groups of fewer than 4 nodes: only some providers have an option for it"}));
    QCOMPARE(keysOf("providers=chip(two){mode=f32}"),
             (QStringList{"providers = ChipExecutionProvider, HostExecutionProvider",
                          "ChipExecutionProvider.generation = 2", "ChipExecutionProvider.chip_mode = f32"}));
    session::SessionOptions options;
    options.providers = {"host", "chip(Two)"};
    QVERIFY(session::readConfiguration("precision=f16")->applyTo(options, table));
    QCOMPARE(options.providers, (std::vector<std::string>{"host", "chip(Two){mode=f16}"}));
    QCOMPARE(session::configurationLine({.providers = std::vector<std::string>{}}, table),
             std::string("providers=host"));
  }
};

QTEST_GUILESS_MAIN(TestConfiguration)
#include "tst_configuration.moc"
