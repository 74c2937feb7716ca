// Tables of fields, units and names of types.
#include "ui/base/find_fields.h"

#include <array>
#include <cmath>
#include <utility>

#include <QCoreApplication>

namespace cutaway::ui {

const std::vector<FindFieldRow>& findFields() {
  static const std::vector<FindFieldRow> rows = {
      {FindField::kName, "name", "node", FindUnit::kNone, QT_TRANSLATE_NOOP("FindQuery", "name of the node"),
       "name:conv1"},
      {FindField::kOperator, "op", "operator optype", FindUnit::kNone, QT_TRANSLATE_NOOP("FindQuery", "operator"),
       "op:Conv"},
      {FindField::kDomain, "domain", "", FindUnit::kNone, QT_TRANSLATE_NOOP("FindQuery", "operator domain"),
       "domain:com.microsoft"},
      {FindField::kProvider, "provider", "ep", FindUnit::kNone, QT_TRANSLATE_NOOP("FindQuery", "provider that runs it"),
       "provider:cpu"},
      {FindField::kRefused, "refused", "refusal", FindUnit::kNone,
       QT_TRANSLATE_NOOP("FindQuery", "cause or reason of the first provider"), "refused:type"},
      {FindField::kRewrite, "rewrite", "pass", FindUnit::kNone, QT_TRANSLATE_NOOP("FindQuery", "pass that changed it"),
       "rewrite:fusion"},
      {FindField::kGroup, "group", "", FindUnit::kNone, QT_TRANSLATE_NOOP("FindQuery", "compiled group"),
       "group:onednn_0"},
      {FindField::kType, "type", "dtype", FindUnit::kNone,
       QT_TRANSLATE_NOOP("FindQuery", "element type of an input or output"), "type:float16"},
      {FindField::kShape, "shape", "", FindUnit::kNone,
       QT_TRANSLATE_NOOP("FindQuery", "shape of an input or output; * is any dimension, ... any number of them"),
       "shape:[1,3,*,*]"},
      {FindField::kAttribute, "attr", "attribute", FindUnit::kNone,
       QT_TRANSLATE_NOOP("FindQuery", "attribute, and its value"), "attr:pads=1"},
      {FindField::kInput, "input", "in", FindUnit::kNone,
       QT_TRANSLATE_NOOP("FindQuery", "name of a value that it reads"), "input:image"},
      {FindField::kOutput, "output", "out", FindUnit::kNone,
       QT_TRANSLATE_NOOP("FindQuery", "name of a value that it makes"), "output:logits"},
      {FindField::kValue, "value", "", FindUnit::kNone,
       QT_TRANSLATE_NOOP("FindQuery", "name of a value that it reads or makes"), "value:mask"},
      {FindField::kScope, "scope", "", FindUnit::kNone, QT_TRANSLATE_NOOP("FindQuery", "name scope that it is in"),
       "scope:/encoder/layer.0"},
      {FindField::kGraph, "graph", "body", FindUnit::kNone,
       QT_TRANSLATE_NOOP("FindQuery", "title of the graph or body"), "graph:then_branch"},
      {FindField::kStep, "step", "", FindUnit::kCount, QT_TRANSLATE_NOOP("FindQuery", "step in the execution order"),
       "step:10..20"},
      {FindField::kTime, "time", "", FindUnit::kTime, QT_TRANSLATE_NOOP("FindQuery", "measured time of a run"),
       "time>1ms"},
      {FindField::kMemory, "memory", "mem bytes", FindUnit::kBytes,
       QT_TRANSLATE_NOOP("FindQuery", "bytes of its outputs"), "memory>=2MB"},
      {FindField::kFlops, "flops", "flop", FindUnit::kCount,
       QT_TRANSLATE_NOOP("FindQuery", "floating point operations"), "flops>1G"},
      {FindField::kParameters, "params", "parameters", FindUnit::kCount,
       QT_TRANSLATE_NOOP("FindQuery", "elements of float initializers that it reads"), "params>1e6"},
      {FindField::kWeights, "weights", "", FindUnit::kBytes,
       QT_TRANSLATE_NOOP("FindQuery", "bytes of initializers that it reads"), "weights>1MB"},
      {FindField::kMoved, "moved", "", FindUnit::kBytes,
       QT_TRANSLATE_NOOP("FindQuery", "bytes of activations that it reads and writes"), "moved>1MB"},
      {FindField::kError, "error", "", FindUnit::kCount,
       QT_TRANSLATE_NOOP("FindQuery", "relative error of the accuracy comparison"), "error>1e-3"},
      {FindField::kInputs, "inputs", "", FindUnit::kCount, QT_TRANSLATE_NOOP("FindQuery", "how many values it reads"),
       "inputs>3"},
      {FindField::kOutputs, "outputs", "", FindUnit::kCount, QT_TRANSLATE_NOOP("FindQuery", "how many values it makes"),
       "outputs>1"},
      {FindField::kIndex, "idx", "ortvalueindex", FindUnit::kCount,
       QT_TRANSLATE_NOOP("FindQuery", "OrtValueIndex of a value that it reads or makes"), "idx:17"},
  };
  return rows;
}

const FindFieldRow* findField(QStringView name) {
  for (const FindFieldRow& row : findFields()) {
    if (name.compare(QLatin1String(row.name), Qt::CaseInsensitive) == 0) return &row;
    for (const QString& alias : QString::fromLatin1(row.aliases).split(QLatin1Char(' '), Qt::SkipEmptyParts))
      if (name.compare(alias, Qt::CaseInsensitive) == 0) return &row;
  }
  return nullptr;
}

namespace {

using Unit = std::pair<const char*, double>;
constexpr std::array<Unit, 6> kTimes = {
    {{"ns", 1}, {"us", 1e3}, {"\xc2\xb5s", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}}};
constexpr std::array<Unit, 13> kBytes = {{{"b", 1},
                                          {"kb", 1e3},
                                          {"mb", 1e6},
                                          {"gb", 1e9},
                                          {"tb", 1e12},
                                          {"kib", 1024.0},
                                          {"mib", 1048576.0},
                                          {"gib", 1073741824.0},
                                          {"k", 1e3},
                                          {"m", 1e6},
                                          {"g", 1e9},
                                          {"t", 1e12},
                                          {"byte", 1}}};
constexpr std::array<Unit, 9> kCounts = {{{"k", 1e3},
                                          {"m", 1e6},
                                          {"g", 1e9},
                                          {"t", 1e12},
                                          {"kflop", 1e3},
                                          {"mflop", 1e6},
                                          {"gflop", 1e9},
                                          {"tflop", 1e12},
                                          {"flop", 1}}};

template <size_t N>
std::optional<double> unitOf(const std::array<Unit, N>& units, const QString& name) {
  for (const auto& [unit, factor] : units)
    if (name == QString::fromUtf8(unit)) return factor;
  return std::nullopt;
}

}  // namespace

std::optional<double> numberWithUnit(QStringView text, FindUnit unit) {
  qsizetype digits = text.size();
  while (digits > 0 && !text[digits - 1].isDigit() && text[digits - 1] != QLatin1Char('.'))
    --digits;
  bool good = false;
  const double number = text.left(digits).toDouble(&good);
  if (!good || !std::isfinite(number)) return std::nullopt;
  const QString name = text.mid(digits).trimmed().toString().toLower();
  if (name.isEmpty()) return number;
  const std::optional<double> factor = unit == FindUnit::kTime    ? unitOf(kTimes, name)
                                       : unit == FindUnit::kBytes ? unitOf(kBytes, name)
                                       : unit == FindUnit::kCount ? unitOf(kCounts, name)
                                                                  : std::nullopt;
  return factor ? std::optional<double>(number * *factor) : std::nullopt;
}

QString unitWords(FindUnit unit) {
  switch (unit) {
    case FindUnit::kTime:
      return QStringLiteral("ns, us, ms, s");
    case FindUnit::kBytes:
      return QStringLiteral("B, KB, MB, GB, KiB, MiB");
    default:
      return QStringLiteral("k, M, G, T");
  }
}

std::string_view elementTypeAlias(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kAliases = {{{"fp32", "float"},
                                                                                       {"float32", "float"},
                                                                                       {"f32", "float"},
                                                                                       {"fp16", "float16"},
                                                                                       {"f16", "float16"},
                                                                                       {"half", "float16"},
                                                                                       {"bf16", "bfloat16"},
                                                                                       {"fp64", "double"},
                                                                                       {"float64", "double"},
                                                                                       {"f64", "double"},
                                                                                       {"i8", "int8"},
                                                                                       {"u8", "uint8"},
                                                                                       {"i32", "int32"},
                                                                                       {"i64", "int64"},
                                                                                       {"i4", "int4"},
                                                                                       {"u4", "uint4"},
                                                                                       {"boolean", "bool"}}};
  for (const auto& [alias, type] : kAliases)
    if (alias == name) return type;
  return name;
}

}  // namespace cutaway::ui
