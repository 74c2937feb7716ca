// The page of a context node.
#include "ui/panels/context_page.h"

#include <QObject>

#include "ui/base/context_words.h"
#include "ui/base/format.h"
#include "ui/panels/page_writer.h"

namespace cutaway::ui {
namespace {

QString tr(const char* words) {
  return QObject::tr(words);
}

PageWriter::Tone toneOf(CheckState state) {
  switch (state) {
    case CheckState::kPassed:
      return PageWriter::kGood;
    case CheckState::kWarning:
      return PageWriter::kCareful;
    case CheckState::kFailed:
      return PageWriter::kBad;
    case CheckState::kSkipped:
      return PageWriter::kQuiet;
  }
  return PageWriter::kQuiet;
}

QString binaryText(const ContextNodeReport& node) {
  QString words = contextPlaceText(node);
  if (node.fileBytes >= 0) words += QStringLiteral(", ") + sizeText(node.fileBytes);
  if (node.fileBytes < 0 && !node.file.empty()) words += tr(", not there");
  return words;
}

// What the vendor's library tells, in its words: names and figures, which are not translated.
void writeBinary(PageWriter& page, const BinaryDescription& binary) {
  if (binary.toldBy.empty()) return;
  page.section(tr("Binary, as %1 tells it").arg(text(binary.toldBy)));
  for (const auto& [name, words] : binary.facts)
    page.text(text(name), text(words));
  const auto tensors = [&page](const QString& title, const std::vector<BinaryTensor>& list) {
    for (const BinaryTensor& each : list)
      page.text(title, text(each.words()));
  };
  for (const BinaryGraph& graph : binary.graphs) {
    page.text(tr("graph"), text(graph.name));
    for (const auto& [name, words] : graph.facts)
      page.text(text(name), text(words));
    tensors(tr("input"), graph.inputs);
    tensors(tr("output"), graph.outputs);
  }
}

}  // namespace

void writeContext(PageWriter& page, const ContextNodeReport& node, const std::vector<QString>& providers) {
  page.section(tr("Compiled context"));
  page.paragraph(contextExplanation(node, providers));
  page.text(tr("source"), node.source.empty() ? tr("not given: any provider may try")
                          : contextSourceText(node) == text(node.source)
                              ? text(node.source)
                              : QStringLiteral("%1 (%2)").arg(contextSourceText(node), text(node.source)));
  page.text(tr("kind"),
            node.isMain ? tr("main: it has the binary") : tr("dependent: its part is in the binary of a main node"));
  page.text(tr("binary"), binaryText(node));
  page.text(tr("format"), text(node.format));
  page.text(tr("partition"), text(node.partitionName));
  if (node.partitionBytes >= 0) page.text(tr("its part"), sizeText(node.partitionBytes));
  if (node.maxSizeBytes > 0) page.text(tr("largest of its set"), sizeText(node.maxSizeBytes));
  if (node.sharedBytes > 0) page.text(tr("shared"), tr("%1 were open already").arg(sizeText(node.sharedBytes)));
  page.text(tr("SDK"), text(node.sdkVersion));
  page.text(tr("hardware"), text(node.hardware));
  page.text(tr("original model"), text(node.modelFile));
  page.text(tr("original nodes"), node.insideNodes < 0 ? tr("the file does not say") : countText(node.insideNodes));
  if (node.restoreTimeNs >= 0) page.text(tr("restored in"), timeText(node.restoreTimeNs));
  page.text(tr("notes"), text(node.notes));
  writeBinary(page, node.binary);
  if (!node.checks.empty()) page.section(tr("Checks"));
  for (const ContextCheck& check : node.checks) {
    const CheckLook look = checkLook(check.state);
    page.verdict(text(check.name), toneOf(check.state), look.mark, look.word, text(check.detail));
  }
}

}  // namespace cutaway::ui
