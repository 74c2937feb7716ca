// The compile interface: what a request says becomes the options of one session that ends when the context model is
// written.
#include "engine/compile/compile.h"

#include <algorithm>

#include "engine/base/contained_file.h"
#include "engine/compile/verify.h"

namespace cutaway::compile {
namespace {

Result<void> checkInput(const CompileRequest& request) {
  if (!request.input) return fail(ErrorCode::kNoModel, "there is no model to compile: give a path, bytes, or a model");
  const load::ModelSource& input = *request.input;
  if (input.model != nullptr) {
    if (!input.bytes.empty())
      return fail(ErrorCode::kInvalidArgument,
                  "a model and bytes are given; exactly one of path, bytes and model is compiled");
    if (input.model->graph.outputs().empty())
      return fail(ErrorCode::kInvalidArgument, "the model to compile has no outputs; a graph needs at least one");
    if (input.model->opsets.empty())
      return fail(ErrorCode::kInvalidArgument, "the model to compile imports no opset; it needs at least one");
    return {};
  }
  if (input.fromBytes && input.bytes.empty())
    return fail(ErrorCode::kInvalidArgument, "the bytes of the model to compile are 0 bytes long");
  return {};
}

bool intoFile(const CompileRequest& request) {
  return !request.toBytes && !request.outputStream;
}

Result<void> checkOutput(const CompileRequest& request) {
  const int outputs = int{!request.outputFile.empty()} + int{request.toBytes} + int{request.outputStream != nullptr};
  if (outputs > 1)
    return fail(ErrorCode::kInvalidArgument,
                "{} outputs are given; a context model goes to one of file, bytes and stream", outputs);
  if (intoFile(request)) {
    if (!request.binaryFolder.empty() || !request.binaryStem.empty())
      return fail(ErrorCode::kInvalidArgument,
                  "a folder and name for binaries are given together with an output file; beside a file, binaries lie "
                  "in its folder and are named after it");
    return {};
  }
  if (request.binaryFolder.empty() != request.binaryStem.empty())
    return fail(ErrorCode::kInvalidArgument, "binaries need a folder and a name: only the {} is given",
                request.binaryFolder.empty() ? "name" : "folder");
  if (request.embed && !request.binaryFolder.empty())
    return fail(ErrorCode::kInvalidArgument, "embedded contexts and a folder for binaries exclude each other");
  if (request.binaryStem.find('/') != std::string::npos)
    return fail(ErrorCode::kInvalidArgument, "the name for binaries is '{}'; it may not contain a '/'",
                request.binaryStem);
  if (!request.binaryStem.empty()) CUTAWAY_CHECK(checkContainedName(request.binaryStem));
  return {};
}

Result<void> checkInitializers(const CompileRequest& request) {
  if (request.initializersThresholdBytes < 0)
    return fail(ErrorCode::kInvalidArgument, "the threshold of external initializers is {} bytes; it is at least 0",
                request.initializersThresholdBytes);
  if (request.initializersFile.empty()) return {};
  if (request.initializerHandler)
    return fail(ErrorCode::kInvalidArgument,
                "a file for external initializers and a callback that places them are given; they exclude each other");
  if (!intoFile(request) && request.binaryFolder.empty())
    return fail(ErrorCode::kInvalidArgument,
                "external initializers '{}' need a folder: give one for binaries, or an output file",
                request.initializersFile);
  return checkContainedName(request.initializersFile);
}

std::filesystem::path pathOf(const load::ModelSource& input) {
  if (!input.path.empty()) return input.path;
  return input.model != nullptr ? input.model->path : std::filesystem::path();
}

Result<context::ContextOptions> contextOptions(const CompileRequest& request) {
  CUTAWAY_TRY(context::ContextOptions context, context::readContextOptions(request.session.config));
  context.enable = true;
  context.compileOnly = true;
  context.overwrite = !request.failWhenOutputExists;
  context.failWhenNothingCompiled = request.failWhenNothingCompiled;
  context.writeUncompiled = !request.failWhenNothingCompiled;
  context.embed = context.embed || request.embed;
  if (!request.initializersFile.empty()) {
    context.initializersFile = request.initializersFile;
    context.initializersThresholdBytes = request.initializersThresholdBytes;
  }
  context.initializerHandler = request.initializerHandler;
  context.binaryFolder = request.binaryFolder;
  if (!request.binaryStem.empty()) context.binaryStem = request.binaryStem;
  if (intoFile(request)) {
    if (!request.outputFile.empty()) context.file = request.outputFile;
    CUTAWAY_TRY(context.file, context::contextFileFor(pathOf(*request.input), context));
    CUTAWAY_CHECK(context::checkContextTarget(context.file, context));
  } else {
    context.embed = request.binaryFolder.empty();
    CUTAWAY_CHECK(context::checkContextOptions(context));
  }
  if (context.embed && (context.share || context.stopShare))
    return fail(ErrorCode::kInvalidArgument,
                "embedded contexts cannot be shared between models; take ep.share_ep_contexts or embed mode away");
  if (request.verify && context.share && !context.stopShare)
    return fail(ErrorCode::kInvalidArgument,
                "a model of a share group is written with the last one (ep.stop_share_ep_contexts=1); verify it then");
  return context;
}

// Bytes go where the request says; a copy is kept when they are to be looked at again.
context::ModelSink sinkFor(const CompileRequest& request, std::string& bytes) {
  return [&request, &bytes](std::span<const std::byte> piece) -> Result<void> {
    if (request.toBytes || request.verify) bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    if (request.outputStream) return request.outputStream(piece);
    return {};
  };
}

Result<std::shared_ptr<const WalkReport>> verified(const CompileRequest& request,
                                                   const session::SessionOptions& session,
                                                   const context::ContextOptions& context, const std::string& bytes,
                                                   std::shared_ptr<const WalkReport> walk, const ProviderTable& table,
                                                   Progress& progress) {
  if (walk->context == nullptr || walk->context->written.empty() || walk->context->written.front().files.empty()) {
    if (intoFile(request)) return walk;  // nothing was written: nothing to look at
  }
  VerifyRequest wanted{.original = *request.input,
                       .context = load::ModelSource::file(context.file),
                       .session = session,
                       .feeds = {},
                       .dims = session.dims};
  if (!intoFile(request)) {
    wanted.context = load::ModelSource::memory(std::as_bytes(std::span(bytes)), nullptr);
    if (!request.binaryFolder.empty()) wanted.context.externalFolder = request.binaryFolder;
  }
  CUTAWAY_TRY(ContextVerification seen, verifyContext(wanted, table, progress));
  auto report = std::make_shared<ContextReport>(walk->context == nullptr ? ContextReport{} : *walk->context);
  report->verified = {std::move(seen)};
  auto with = std::make_shared<WalkReport>(*walk);
  with->context = std::move(report);
  if (request.listener) request.listener(with);
  return with;
}

}  // namespace

Result<Compiled> compileModel(const CompileRequest& request, const ProviderTable& table, Progress& progress) {
  CUTAWAY_CHECK(checkInput(request));
  CUTAWAY_CHECK(checkOutput(request));
  CUTAWAY_CHECK(checkInitializers(request));
  CUTAWAY_TRY(context::ContextOptions context, contextOptions(request));
  Compiled done;
  if (!intoFile(request)) context.modelSink = sinkFor(request, done.bytes);

  session::SessionOptions session = request.session;
  if (!request.hasLevel) session.optimizationLevel = 0;
  session.context = std::make_shared<const context::ContextOptions>(context);
  session.contextOnly = true;
  session.lastStage = Stage::kPartition;
  session.prepareRun = true;
  {
    CUTAWAY_TRY(const auto made, session::Session::create(*request.input, session, table, progress, request.listener));
    done.walk = made->report();
  }
  if (request.verify) {
    CUTAWAY_TRY(done.walk, verified(request, session, context, done.bytes, std::move(done.walk), table, progress));
  }
  if (!request.toBytes) done.bytes.clear();
  return done;
}

}  // namespace cutaway::compile
