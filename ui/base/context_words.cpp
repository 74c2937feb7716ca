// What context nodes are, in words.
#include "ui/base/context_words.h"

#include <algorithm>

#include <QDir>
#include <QFileInfo>
#include <QObject>

#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

QString tr(const char* words) {
  return QObject::tr(words);
}

bool hasFailed(const ContextNodeReport& node) {
  return std::any_of(node.checks.begin(), node.checks.end(),
                     [](const ContextCheck& check) { return check.state == CheckState::kFailed; });
}

// Who would have to run it is the one check that does not speak about the file.
bool isForeign(const ContextNodeReport& node) {
  return std::any_of(node.checks.begin(), node.checks.end(), [](const ContextCheck& check) {
    return check.name == "provider" && check.state == CheckState::kFailed;
  });
}

QString listed(const std::vector<QString>& names) {
  QStringList all;
  for (const QString& name : names)
    all << name;
  return all.join(QStringLiteral(", "));
}

}  // namespace

bool isContextNode(const NodeReport& node) {
  return node.opType == "EPContext" && node.domain == "com.microsoft";
}

QString contextSourceText(const ContextNodeReport& node) {
  if (!node.sourceTitle.empty()) return text(node.sourceTitle);
  return node.source.empty() ? tr("an unnamed compiler") : text(node.source);
}

QString contextRoleText(const ContextNodeReport& node) {
  return node.isMain ? tr("main") : tr("dependent");
}

QString contextPlaceText(const ContextNodeReport& node) {
  if (!node.isMain) return tr("with its main node");
  if (node.isEmbedded) return tr("in the node");
  return node.file.empty() ? tr("not given") : text(node.file);
}

ContextFate contextFate(const ContextNodeReport& node) {
  if (!node.provider.empty() && !hasFailed(node))
    return node.isPlaceholder ? ContextFate::kSimulated : ContextFate::kRestored;
  return isForeign(node) ? ContextFate::kForeign : ContextFate::kRefused;
}

QString contextFateText(ContextFate fate) {
  switch (fate) {
    case ContextFate::kRestored:
      return tr("restored");
    case ContextFate::kSimulated:
      return tr("placeholder");
    case ContextFate::kRefused:
      return tr("cannot be used");
    case ContextFate::kForeign:
      return tr("cannot run here");
  }
  return {};
}

QString contextExplanation(const ContextNodeReport& node, const std::vector<QString>& providers) {
  QString words = tr("Compiled by %1").arg(contextSourceText(node));
  if (!node.hardware.empty()) words += tr(" for %1").arg(text(node.hardware));
  if (!node.sdkVersion.empty()) words += tr(" with SDK %1").arg(text(node.sdkVersion));
  words += QStringLiteral(". ");
  switch (contextFate(node)) {
    case ContextFate::kRestored:
      return words + tr("%1 restored it: nothing was compiled again.").arg(text(node.provider));
    case ContextFate::kSimulated:
      return words + tr("A placeholder for hardware that is not here: its nodes run on the kernels of %1.")
                         .arg(text(node.provider));
    case ContextFate::kRefused: {
      const auto failed = std::find_if(node.checks.begin(), node.checks.end(),
                                       [](const ContextCheck& check) { return check.state == CheckState::kFailed; });
      return words + (failed == node.checks.end() ? tr("It was not restored in this session.")
                                                  : tr("It cannot be used here: %1").arg(text(failed->detail)));
    }
    case ContextFate::kForeign:
      break;
  }
  words += tr("None of the providers of this session can run it (%1). ").arg(listed(providers));
  return words + (node.insideNodes > 0 ? tr("Its inputs and outputs, its attributes, the %1 original nodes that the "
                                            "file describes, and everything around it can be seen.")
                                             .arg(countText(node.insideNodes))
                                       : tr("Its inputs and outputs, its attributes and everything around it can be "
                                            "seen; what is inside is machine code that only its maker reads."));
}

CheckLook checkLook(CheckState state) {
  switch (state) {
    case CheckState::kPassed:
      return {QStringLiteral("\u2713"), tr("passed")};
    case CheckState::kWarning:
      return {QStringLiteral("!"), tr("warning")};
    case CheckState::kFailed:
      return {QStringLiteral("\u2715"), tr("failed")};
    case CheckState::kSkipped:
      return {QStringLiteral("\u2013"), tr("not checked")};
  }
  return {};
}

QString defaultContextFile(const QString& model) {
  const QFileInfo info(model);
  return info.dir().filePath(info.completeBaseName() + QStringLiteral("_ctx.onnx"));
}

}  // namespace cutaway::ui
