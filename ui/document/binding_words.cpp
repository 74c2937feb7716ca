#include "ui/document/binding_words.h"

#include <algorithm>
#include <map>

#include <QCoreApplication>

#include "engine/report/truth.h"
#include "ui/base/format.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {

constexpr int kShown = 3;
constexpr int kLongestName = 24;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::BindingWords)
};

QString nameOf(const std::string& name) {
  return shortened(text(name), kLongestName);
}

}  // namespace

std::set<std::string> symbolsOf(const Document& document) {
  std::set<std::string> names;
  const auto resolve = document.walk()->resolve;
  if (!resolve) return names;
  for (const auto& [name, size] : resolve->boundDims)
    names.insert(name);
  names.insert(resolve->openSymbols.begin(), resolve->openSymbols.end());
  return names;
}

bool hasUnnamedSizes(const Document& document) {
  const auto graphs = document.walk()->loadedGraphs;
  if (!graphs || graphs->graphs.empty()) return false;
  const GraphReport& main = graphs->graphs.front();
  return std::ranges::any_of(main.inputs, [&](int32_t input) {
    const ValueReport& value = main.values[static_cast<size_t>(input)];
    const bool isTensor = value.type.find('(') == std::string::npos;
    return !value.isInitializer && isTensor && (value.shape.empty() || value.shape.find('?') != std::string::npos);
  });
}

QStringList bindingOf(const Document& document, Stage stage) {
  const WalkReport& walk = *document.walk();
  if (!walk.resolve) return {};
  const std::map<std::string, int64_t> bound(walk.resolve->boundDims.begin(), walk.resolve->boundDims.end());
  std::map<std::string, int64_t> taken;
  for (const auto& [name, size] : stageTruth(walk, stage).dims)
    taken.emplace(name, size);
  std::set<std::string> names = symbolsOf(document);
  for (const auto& [name, size] : taken)
    names.insert(name);
  QStringList words;
  for (const std::string& name : names) {
    if (const auto found = taken.find(name); found != taken.end()) {
      words << Words::tr("%1 = %2 (this run)").arg(nameOf(name)).arg(found->second);
    } else if (const auto size = bound.find(name); size != bound.end()) {
      words << QStringLiteral("%1 = %2").arg(nameOf(name)).arg(size->second);
    } else {
      words << Words::tr("%1 open").arg(nameOf(name));
    }
  }
  if (hasUnnamedSizes(document)) words << Words::tr("unnamed sizes open");
  return words.isEmpty() ? QStringList{Words::tr("fixed shapes")} : words;
}

QString inShort(const QStringList& binding) {
  if (binding.size() <= kShown) return binding.join(QStringLiteral(", "));
  return Words::tr("%1 and %2 more")
      .arg(binding.first(kShown - 1).join(QStringLiteral(", ")))
      .arg(binding.size() - kShown + 1);
}

}  // namespace cutaway::ui
