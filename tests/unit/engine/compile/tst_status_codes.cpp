// Every status code of onnxruntime, reached through what users call: compile, load, run. One row a code.
#include <set>

#include <QTest>

#include "engine/context_binary/context_node.h"
#include "tests/unit/engine/compile/context_bench.h"

using namespace cutaway;

namespace {

struct Row {
  const char* name;
  ErrorCode code;
  Error (*reach)(const ContextBench& bench);
};

template <typename T>
Error errorOf(const Result<T>& result) {
  return result ? Error{static_cast<ErrorCode>(0), "it went well", {}} : result.error();
}

Error compileError(const ContextBench& bench, const std::function<void(compile::CompileRequest&)>& change) {
  compile::CompileRequest request = bench.request("m.onnx", "c.onnx");
  change(request);
  return errorOf(bench.compile(request));
}

// Compiles, changes the context model or its binary, and loads it.
Error loadError(const ContextBench& bench, const std::function<void()>& change) {
  if (const auto done = bench.compile("m.onnx", "c.onnx"); !done)
    return Error{static_cast<ErrorCode>(0), "did not compile: " + describe(done.error()), {}};
  change();
  return errorOf(bench.load("c.onnx"));
}

Error editedLoadError(const ContextBench& bench, const std::function<void(Node&)>& change) {
  return loadError(bench, [&] {
    bench.edit("c.onnx", [&](Model& model) { change(model.graph.mutableNode(contextNodes(model).front())); });
  });
}

Error sameNamesTwice(const ContextBench& bench) {
  bench.write("n.onnx", kTwoGroups);
  const auto share = [&](const std::string& stem, bool last) {
    compile::CompileRequest request = bench.request(stem + ".onnx", stem + "_ctx.onnx");
    request.session.config = {{"ep.share_ep_contexts", "1"}, {"ep.context_share_group", "twice"}};
    if (last) request.session.config["ep.stop_share_ep_contexts"] = "1";
    return bench.compile(request);
  };
  const auto first = share("m", false);
  return first ? errorOf(share("n", true))
               : Error{static_cast<ErrorCode>(0), "the first did not compile: " + describe(first.error()), {}};
}

Error cancelled(const ContextBench& bench) {
  const CancelToken token;
  token.cancel();
  Progress progress(token);
  return errorOf(session::Session::create(load::ModelSource::file(bench.path("m.onnx")), bench.options(), keeperTable(),
                                          progress));
}

Error withKey(const ContextBench& bench, const std::string& key) {
  session::SessionOptions options = bench.options();
  options.config[key] = "1";
  return errorOf(bench.load(load::ModelSource::file(bench.path("m.onnx")), options));
}

Error runCancelled(const ContextBench& bench) {
  const auto session = bench.load("m.onnx");
  execute::RunOptions options;
  options.cancel.cancel();
  return errorOf((*session)->run(*session::randomFeeds(**session, 1, {}, {}), options));
}

const Row kRows[] = {
    {"1 FAIL: the output exists and may not be replaced", ErrorCode::kFail,
     [](const ContextBench& bench) {
       return bench.writeBytes("c.onnx", "old"),
              compileError(bench, [](compile::CompileRequest& request) { request.failWhenOutputExists = true; });
     }},
    {"1 FAIL: nothing compiled, and that is an error", ErrorCode::kFail,
     [](const ContextBench& bench) {
       return keeperPlan().test.groups = {},
              compileError(bench, [](compile::CompileRequest& request) { request.failWhenNothingCompiled = true; });
     }},
    {"1 FAIL: the run was cancelled", ErrorCode::kFail, runCancelled},
    {"2 INVALID_ARGUMENT: a folder as output", ErrorCode::kInvalidArgument,
     [](const ContextBench& bench) {
       return compileError(bench, [&](compile::CompileRequest& request) { request.outputFile = bench.path(""); });
     }},
    {"2 INVALID_ARGUMENT: a run without its input", ErrorCode::kInvalidArgument,
     [](const ContextBench& bench) { return errorOf((*bench.load("m.onnx"))->run({}, {})); }},
    {"3 NO_SUCHFILE: the model is not there", ErrorCode::kNoSuchFile,
     [](const ContextBench& bench) { return errorOf(bench.load("nothing.onnx")); }},
    {"4 NO_MODEL: nothing to compile", ErrorCode::kNoModel,
     [](const ContextBench& bench) {
       return compileError(bench, [](compile::CompileRequest& request) { request.input.reset(); });
     }},
    {"5 ENGINE_ERROR: the provider's library fails", ErrorCode::kEngineError,
     [](const ContextBench& bench) {
       return keeperPlan().onExport = [](const std::string&) -> Result<void> {
         return fail(ErrorCode::kEngineError, "serialisation failed in the library");
       },
              compileError(bench, [](compile::CompileRequest&) {});
     }},
    {"6 RUNTIME_EXCEPTION: the provider throws while it exports", ErrorCode::kRuntimeException,
     [](const ContextBench& bench) {
       return keeperPlan().onExport = [](const std::string&) -> Result<void> {
         throw std::runtime_error("out of luck");
       },
              compileError(bench, [](compile::CompileRequest&) {});
     }},
    {"7 INVALID_PROTOBUF: not a model", ErrorCode::kInvalidProtobuf,
     [](const ContextBench& bench) {
       return bench.writeBytes("m.onnx", "\xff\xff\xff\xff nothing like a model"), errorOf(bench.load("m.onnx"));
     }},
    {"8 MODEL_LOADED: a shared binary has the partition already", ErrorCode::kModelLoaded, sameNamesTwice},
    {"9 NOT_IMPLEMENTED: nobody here made this context", ErrorCode::kNotImplemented,
     [](const ContextBench& bench) {
       return editedLoadError(bench, [](Node& node) { setText(node, "source", "QNN"); });
     }},
    {"10 INVALID_GRAPH: the binary is gone", ErrorCode::kInvalidGraph,
     [](const ContextBench& bench) {
       return loadError(bench, [&] { std::filesystem::remove(bench.path(bench.onlyBinary())); });
     }},
    {"10 INVALID_GRAPH: main_context is 7", ErrorCode::kInvalidGraph,
     [](const ContextBench& bench) {
       return editedLoadError(bench, [](Node& node) { setNumber(node, "main_context", 7); });
     }},
    {"11 EP_FAIL: the binary is damaged", ErrorCode::kEpFail,
     [](const ContextBench& bench) {
       return loadError(bench, [&] { bench.writeBytes(bench.onlyBinary(), "nonsense"); });
     }},
    {"12 MODEL_LOAD_CANCELED", ErrorCode::kModelLoadCanceled, cancelled},
    {"13 MODEL_REQUIRES_COMPILATION", ErrorCode::kModelRequiresCompilation,
     [](const ContextBench& bench) { return withKey(bench, "session.disable_model_compile"); }},
    {"14 NOT_FOUND: the binary has no such partition", ErrorCode::kNotFound,
     [](const ContextBench& bench) {
       return editedLoadError(bench, [](Node& node) { setText(node, "partition_name", "nobody"); });
     }},
    {"15 DEVICE_RESET: the device is lost while it restores", ErrorCode::kDeviceReset,
     [](const ContextBench& bench) {
       return loadError(bench, [] {
         keeperPlan().onRestore = [](const ContextRestore&) -> Result<void> {
           return fail(ErrorCode::kDeviceReset, "the device was reset");
         };
       });
     }},
};

}  // namespace

class TestStatusCodes : public QObject {
  Q_OBJECT
 private slots:
  void reached_data() {
    QTest::addColumn<int>("row");
    for (int i = 0; i < static_cast<int>(std::size(kRows)); ++i)
      QTest::newRow(kRows[i].name) << i;
  }
  void reached() {
    QFETCH(int, row);
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    const Error error = kRows[row].reach(bench);
    QVERIFY2(error.code == kRows[row].code, describe(error).c_str());
    QVERIFY(!error.message.empty());
    QVERIFY2(std::string(kRows[row].name).find(errorCodeName(error.code)) != std::string::npos, kRows[row].name);
  }

  void everyCodeHasARow() {
    std::set<int> codes;
    for (const Row& row : kRows)
      codes.insert(static_cast<int>(row.code));
    for (int code = 1; code <= 15; ++code)
      QVERIFY2(codes.contains(code), std::string(errorCodeName(static_cast<ErrorCode>(code))).c_str());
  }
};

QTEST_APPLESS_MAIN(TestStatusCodes)
#include "tst_status_codes.moc"
