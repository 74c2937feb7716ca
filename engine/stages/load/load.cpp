// The load stage: find out what the file is, read the model message, ask for external data, report.

#include "engine/stages/load/load.h"

#include <algorithm>
#include <map>

#include "engine/base/clock.h"
#include "engine/base/log.h"
#include "engine/base/log_privacy.h"
#include "engine/base/short_memory.h"
#include "engine/schema/proto_reader.h"
#include "engine/stages/load/external_data.h"
#include "engine/stages/load/file_signature.h"
#include "engine/stages/load/function_library.h"
#include "engine/stages/load/load_report.h"
#include "engine/stages/load/load_source.h"
#include "engine/stages/load/ort_format/ort_model.h"
#include "engine/stages/load/text_model.h"

namespace cutaway::load {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFromMemory = "memory";

struct SourceBytes {
  ByteSpan bytes;
  std::shared_ptr<const void> keepAlive;
};

// Views of the model message's fields.
struct ModelFields {
  ByteSpan graph;
  bool hasGraph = false;
  bool hasTraining = false;
  std::vector<ByteSpan> functions;
  int known = 0;  // fields that ONNX knows
};

Result<SourceBytes> mapSource(const ModelSource& source, LoadReport& report) {
  Stopwatch watch;
  SourceBytes result{source.bytes, source.keepAlive};
  if (!source.fromBytes) {
    CUTAWAY_TRY(auto file, MappedFile::open(source.path));
    result = {file->bytes(), file};
  }
  report.fileBytes = static_cast<int64_t>(result.bytes.size());
  report.phases.push_back({"map file", watch.elapsedNs(), 0});
  return result;
}

Result<void> refuseOtherFiles(ByteSpan bytes) {
  if (bytes.empty()) return fail(ErrorCode::kInvalidProtobuf, "the file is empty");
  if (auto message = foreignSignature(bytes)) return fail(ErrorCode::kInvalidProtobuf, "{}", *message);
  return {};
}

Result<ModelFields> readModelFields(ByteSpan bytes, Model& model) {
  WireReader reader(bytes);
  ModelFields fields;
  while (reader.next()) {
    const bool message = reader.isBytes();
    ++fields.known;
    switch (reader.number()) {
      case 1:
        if (reader.isVarint()) model.irVersion = reader.signedInteger();
        break;
      case 2:
        model.producerName = reader.string();
        break;
      case 3:
        model.producerVersion = reader.string();
        break;
      case 4:
        model.domain = reader.string();
        break;
      case 5:
        model.modelVersion = reader.signedInteger();
        break;
      case 6:
        model.documentation = reader.string();
        break;
      case 7:
        if (message) fields.graph = reader.bytes();
        fields.hasGraph = fields.hasGraph || message;
        break;
      case 8:
        if (message) {
          CUTAWAY_TRY(OpsetImport import, readOpsetImport(reader.bytes()));
          model.opsets.push_back(std::move(import));
        }
        break;
      case 14:
        if (message) {
          CUTAWAY_TRY(auto entry, readStringEntry(reader.bytes()));
          model.metadata.insert_or_assign(std::move(entry.first), std::move(entry.second));
        }
        break;
      case 20:
        fields.hasTraining = true;
        break;
      case 25:
        if (message) fields.functions.push_back(reader.bytes());
        break;
      case 26:
        break;
      default:
        --fields.known;
        break;
    }
  }
  CUTAWAY_CHECK(reader.status());
  if (fields.known == 0) return fail(ErrorCode::kInvalidProtobuf, "this is not an ONNX model");
  return fields;
}

// A message that fails at once is another kind of file rather than a damaged model.
Error explainDamage(Error error, ByteSpan bytes, const Model& model) {
  if (error.code != ErrorCode::kInvalidProtobuf) return error;
  const bool nothingRead = model.irVersion == 0 && model.producerName.empty() && model.opsets.empty();
  if (looksLikeText(bytes))
    error.message = "this is a text file, not an ONNX model";
  else if (nothingRead)
    error.message = fmt::format("this is not an ONNX model ({})", error.message);
  return error;
}

fs::path folderOf(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

ExternalFiles externalFilesOf(const ModelSource& source, const LoadOptions& options) {
  if (!source.externalFolder.empty()) return {source.externalFolder, {}, options.allowMissingExternalData};
  if (source.fromBytes && source.path.empty()) return {".", {}, options.allowMissingExternalData};
  // Model caches keep snapshots as symbolic links: the data may lie where the model really is.
  std::error_code error;
  fs::path other;
  if (fs::is_symlink(source.path, error)) {
    const fs::path real = fs::canonical(source.path, error);
    throwIfShort(error);
    if (!error) other = folderOf(real);
  }
  return {folderOf(source.path), other, options.allowMissingExternalData};
}

Result<void> checkIrVersion(const Model& model) {
  if (model.irVersion == 0) return fail(ErrorCode::kInvalidProtobuf, "this is not an ONNX model: it has no IR version");
  if (model.irVersion < 0) return fail(ErrorCode::kFail, "IR version {} is not valid", model.irVersion);
  return {};
}

Result<void> buildGraph(const SourceBytes& source, const ModelFields& fields, ExternalFiles& files,
                        const LoadOptions& options, LoadResult& result, Progress& progress) {
  Model& model = result.model;
  Stopwatch watch;
  int64_t externalNs = 0;
  ProtoReaderSettings settings;
  settings.keepAlive = source.keepAlive;
  settings.irVersion = model.irVersion;
  settings.allowMissingData = options.allowMissingExternalData;
  settings.warnings = &result.report.warnings;
  std::vector<LayerAnnotation> layers;
  settings.layers = &layers;
  settings.cancelled = [&progress] { return progress.cancelled(); };
  settings.external = [&](const ExternalReference& reference) {
    Stopwatch external;
    auto tensor = files.read(reference);
    externalNs += external.elapsedNs();
    return tensor;
  };
  ProtoReader reader(std::move(settings));
  CUTAWAY_CHECK(reader.readGraph(fields.graph, "", model.graph));
  for (ByteSpan each : fields.functions) {
    CUTAWAY_TRY(Function function, reader.readFunction(each));
    model.functions.push_back(std::move(function));
  }
  assignOrigins(model);
  for (LayerAnnotation& each : layers)
    result.report.layerOfOrigin[static_cast<int32_t>(each.graph->node(each.node).origins.front().index())] =
        std::move(each.text);
  result.report.phases.push_back({"build graph", watch.elapsedNs() - externalNs, reader.copiedBytes()});
  if (!files.reports().empty()) result.report.phases.push_back({"external data", externalNs, files.copiedBytes()});
  result.report.externalFiles = files.reports();
  model.externalFiles = files.owners();
  return {};
}

// Reads one of the forms of ONNX: what onnx itself defines, in binary or (`text`) as text.
Result<void> loadOnnx(const ModelSource& source, SourceBytes bytes, bool text, const LoadOptions& options,
                      LoadResult& result, Progress& progress) {
  LoadReport& report = result.report;
  if (text) {
    if (bytes.bytes.empty()) return fail(ErrorCode::kInvalidProtobuf, "the file is empty");
    Stopwatch parsing;
    progress.begin("Load", "reading text");
    CUTAWAY_TRY(std::string binary, binaryFromText(textOf(bytes.bytes)));
    auto owned = std::make_shared<const std::string>(std::move(binary));
    report.phases.push_back({"parse text", parsing.elapsedNs(), static_cast<int64_t>(owned->size())});
    bytes = {std::as_bytes(std::span(*owned)), owned};
  } else {
    CUTAWAY_CHECK(refuseOtherFiles(bytes.bytes));
  }
  if (progress.cancelled()) return fail(cancelledError());

  Model& model = result.model;
  Stopwatch scanning;
  auto fields = readModelFields(bytes.bytes, model);
  if (!fields) return fail(explainDamage(std::move(fields).error(), bytes.bytes, model));
  report.phases.push_back({"parse", scanning.elapsedNs(), 0});
  CUTAWAY_CHECK(checkIrVersion(model));
  if (!fields->hasGraph)
    return fail(ErrorCode::kInvalidArgument, "the model has no graph: the file is cut short or holds something else");
  if (fields->hasTraining) report.warnings.push_back("the training part of the model is not read");

  progress.begin("Load", "building the graph");
  ExternalFiles files = externalFilesOf(source, options);
  return buildGraph(bytes, *fields, files, options, result, progress);
}

// Reads onnxruntime's own form, which has everything inside.
Result<void> loadOrt(const SourceBytes& source, LoadResult& result, Progress& progress) {
  Stopwatch watch;
  progress.begin("Load", "building the graph");
  const ort::ReadSettings settings{.keepAlive = source.keepAlive,
                                   .cancelled = [&progress] { return progress.cancelled(); },
                                   .warnings = &result.report.warnings};
  CUTAWAY_TRY(const ort::ReadFigures figures, ort::readModel(source.bytes, settings, result.model));
  CUTAWAY_CHECK(checkIrVersion(result.model));
  assignOrigins(result.model);
  if (result.report.format != kFromMemory) result.report.format = fmt::format("ort {}", figures.version);
  result.report.phases.push_back({"build graph", watch.elapsedNs(), figures.copiedBytes});
  return {};
}

void logLoaded(const ModelSource& source, const LoadReport& report) {
  log::event(log::kInfo, log::Category::kFiles, "read",
             {{"file", source.fromBytes ? "(memory)" : log::path(source.path)},
              {"format", report.format},
              {"bytes", report.fileBytes},
              log::milliseconds(report.timeNs)});
  for (const ExternalFileReport& file : report.externalFiles)
    log::event(log::kInfo, log::Category::kFiles, "external data",
               {{"file", file.path}, {"bytes", file.fileBytes}, {"tensors", file.tensorCount}});
}

LoadResult copyLoaded(const Model& model) {
  const Stopwatch watch;
  LoadResult result{.model = model, .report = {}};
  if (result.model.origins.empty()) assignOrigins(result.model);
  result.report.path = model.path.string();
  result.report.format = kFromMemory;
  fillLoadReport(result.model, result.report);
  result.report.timeNs = watch.elapsedNs();
  return result;
}

Result<LoadResult> loadWhole(const ModelSource& source, const LoadOptions& options, Progress& progress) {
  const Stopwatch watch;
  CUTAWAY_TRY(LoadResult result, loadSource(source, options, progress));
  if (result.model.graph.nodeCount() == 0 && result.model.graph.outputs().empty())
    return fail(ErrorCode::kInvalidGraph, "the model is empty: it has neither nodes nor outputs");
  CUTAWAY_CHECK(addLibraryFunctions(result, progress));
  fillLoadReport(result.model, result.report);
  result.report.timeNs = watch.elapsedNs();
  return result;
}

}  // namespace

Result<LoadResult> loadSource(const ModelSource& source, const LoadOptions& options, Progress& progress) {
  LoadResult result;
  LoadReport& report = result.report;
  report.path = source.path.string();
  CUTAWAY_TRY(SourceBytes bytes, mapSource(source, report));
  const bool isOrt = ort::isOrtModel(bytes.bytes);
  const bool text = !isOrt && hasTextExtension(source.path);
  report.format = text ? "textproto" : source.fromBytes ? kFromMemory : "onnx";
  if (!source.fromBytes) result.model.path = source.path;
  if (isOrt)
    CUTAWAY_CHECK(loadOrt(bytes, result, progress));
  else
    CUTAWAY_CHECK(loadOnnx(source, std::move(bytes), text, options, result, progress));
  return result;
}

ModelSource ModelSource::file(fs::path path) {
  ModelSource source;
  source.path = std::move(path);
  return source;
}

ModelSource ModelSource::memory(std::span<const std::byte> bytes, std::shared_ptr<const void> keepAlive) {
  ModelSource source;
  source.bytes = bytes;
  source.keepAlive = std::move(keepAlive);
  source.fromBytes = true;
  return source;
}

ModelSource ModelSource::loaded(std::shared_ptr<const Model> model) {
  ModelSource source;
  source.path = model->path;
  source.model = std::move(model);
  return source;
}

Result<LoadResult> load(const ModelSource& source, const LoadOptions& options, Progress& progress) {
  if (source.model != nullptr) return copyLoaded(*source.model);
  progress.begin("Load", source.path.filename().string());
  if (!source.fromBytes) log::allowFolder(source.path.has_parent_path() ? source.path.parent_path() : ".");
  if (!source.externalFolder.empty()) log::allowFolder(source.externalFolder);
  auto result = loadWhole(source, options, progress);
  if (!result) return fail(atFile(std::move(result).error(), source.path.string()));
  logLoaded(source, result->report);
  return result;
}

}  // namespace cutaway::load
