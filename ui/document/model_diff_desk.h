#pragma once
// The open model against another one: two files, or the two walks of a what-if; which nodes belong together.
//
// Thread rule: GUI thread; matching runs on a thread of its own.
// Example: desk.compareWith(otherDocument);  connect(&desk, &ModelDiffDesk::changed, ...);  if (auto diff = desk.diff()) paint(*diff);

#include <QObject>
#include <memory>
#include <optional>

#include "engine/base/progress.h"
#include "engine/base/result.h"
#include "engine/report/model_diff.h"
#include "ui/base/graph_target.h"

namespace cutaway::ui {

class Document;

class ModelDiffDesk : public QObject {
  Q_OBJECT
 public:
  enum class State { kIdle, kComparing, kFailed, kReady };
  explicit ModelDiffDesk(Document* document);  // the left side, A

  void compareWith(Document* other);  // B; lives at least as long as this is not dropped
  void drop();
  State state() const { return m_state; }
  std::shared_ptr<const ModelDiff> diff() const { return m_diff; }
  const std::optional<Error>& error() const { return m_error; }
  Document* other() const { return m_other; }
  // Which node of the other model a node belongs to; invalid: none. fromA: the node is of A.
  NodeTarget partner(const NodeTarget& node, bool fromA) const;

 signals:
  void changed();

 private:
  Document* m_document;
  Document* m_other = nullptr;
  State m_state = State::kIdle;
  std::shared_ptr<const ModelDiff> m_diff;
  std::optional<Error> m_error;
  CancelToken m_token;
};

}  // namespace cutaway::ui
