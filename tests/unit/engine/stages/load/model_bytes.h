#pragma once
// Small models as files, for tests: written from text graphs with our own writer.
//
// Thread rule: pure apart from files. Example: const QByteArray bytes = modelBytes("g (float[2] x) => (y) { y = Relu
// (x) }");

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

#include "engine/graph/text.h"
#include "engine/stages/load/load.h"
#include "engine/stages/load/save.h"

namespace cutaway {

inline Model modelOf(const QByteArray& text) {
  auto model = parseModelText(text.toStdString());
  if (!model) qFatal("%s", describe(model.error()).c_str());
  return *std::move(model);
}

inline void writeFile(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
    qFatal("cannot write %s", qPrintable(path));
}

inline QByteArray readFile(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read %s", qPrintable(path));
  return file.readAll();
}

inline QByteArray modelBytes(const QByteArray& text) {
  QTemporaryDir folder;
  const QString path = folder.filePath("m.onnx");
  if (const auto saved = load::save(modelOf(text), path.toStdString(), {}); !saved)
    qFatal("%s", describe(saved.error()).c_str());
  return readFile(path);
}

inline Result<load::LoadResult> loadBytes(const QByteArray& bytes, const load::LoadOptions& options = {}) {
  Progress progress;
  auto owned = std::make_shared<const QByteArray>(bytes);
  return load::load(load::ModelSource::memory(
                        std::as_bytes(std::span(owned->constData(), static_cast<size_t>(owned->size()))), owned),
                    options, progress);
}

inline Result<load::LoadResult> loadFile(const QString& path, const load::LoadOptions& options = {}) {
  Progress progress;
  return load::load(load::ModelSource::file(path.toStdString()), options, progress);
}

// A model with most things in it: weights of several types, a body that captures, a function, metadata.
inline constexpr const char* kRichModel =
    R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1], producer_name: "test", metadata_props: ["key" : "value"]>
main (float[n,4] x, bool[] c) => (float[n,2] y, float[n,2] z) <float[4,2] w = {1,2,3,4,5,6,7,8}, int64[2] s = {2,1}, string[2] t = {"a","b"}, float16[3] h = {1,2,3}, int4[3] q = {1,-2,3}> {
  [mm] p = MatMul (x, w)
  [if] y = If <then_branch = then_g () => (float[n,2] a) <float[1] k = {2}> { a = Mul (p, k) }, else_branch = else_g () => (float[n,2] b) { b = Neg (p) }> (c)
  [call] z = f.F <alpha = 0.5> (p)
}
<domain: "f", opset_import: ["" : 17]> F <alpha> (a) => (b) { b = Elu <alpha = @alpha> (a) })";

}  // namespace cutaway
