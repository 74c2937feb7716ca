#pragma once
// The documentation of an operator as a page of rich text, with a node's own values beside the formal ones.
//
// Links: "value:<graph>:<name>", "node:<version>:<graph>:<index>", "graph:<index>", "op:<domain>:<type>:<version>".
// Thread rule: GUI thread, reads snapshots. Example: browser->setHtml(operatorPage(document, subjectOf(document),
// theme));

#include <cstdint>

#include <QString>

#include "ui/base/graph_target.h"

namespace cutaway::ui {

class Document;
struct Theme;

// What a page is about: an operator of one version, and the node whose values stand beside (invalid: none).
struct OperatorSubject {
  QString opType;
  QString domain;
  int64_t version = 0;
  NodeTarget node;

  bool valid() const { return !opType.isEmpty(); }
  bool operator==(const OperatorSubject&) const = default;
};

// Of the selected node, else of the node that makes the selected value; of a compiled group its first original node.
OperatorSubject subjectOf(const Document& document);
// Version of a domain's operators that the model asks for; 1 where it says nothing.
int64_t opsetOf(const Document& document, const QString& domain);

QString operatorPage(const Document& document, const OperatorSubject& subject, const Theme& theme);

}  // namespace cutaway::ui
