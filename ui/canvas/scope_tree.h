#pragma once
// A graph folded into scopes: boxes inside boxes, whatever they were found by (names, repeated structure, providers,
// bodies shown in place).
//
// Thread rule: plain values; immutable once published.
// Example: for (int s = tree.scopeOfNode[3]; s > 0; s = tree.scopes[s].parent) show(tree.scopes[s].title);

#include <vector>

#include <QString>

namespace cutaway::ui {

enum class ScopeKind : unsigned char {
  kName,      // nodes with a common beginning of their names
  kRun,       // a row of blocks of the same structure
  kBlock,     // one of them
  kProvider,  // what one provider takes, or one of its compiled groups
  kBody,      // the body of a node, shown in its place
  kBranch,    // one of several bodies of a node
  kCard,      // a node with the constants and the Q/DQ that only it has, drawn as one card
};

struct Scope {
  QString title;  // what to write on the box: "attention", "layer.0", "Block 3"
  QString path;   // "encoder/layer/0/attention": unique, survives new snapshots
  int parent = -1;
  int depth = 0;
  int nodeCount = 0;  // with all scopes inside
  ScopeKind kind = ScopeKind::kName;
  int repeats = 0;                    // all scopes directly inside are alike: how many; else 0
  int callGraph = -1, callNode = -1;  // kBody, kCard: the node it stands for
  bool compiled = false;              // a group that its provider compiled: what it is, no way to look at it
};

struct ScopeTree {
  std::vector<Scope> scopes;     // 0: the whole graph; parents stand before their children
  std::vector<int> scopeOfNode;  // innermost scope
};

}  // namespace cutaway::ui
