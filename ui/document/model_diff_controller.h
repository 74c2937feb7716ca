#pragma once
// The open model against another one: two files, or the two walks of a what-if; which nodes belong together.
//
// Thread rule: GUI thread; matching runs on a thread of its own.
// Example: controller.compareWith(otherDocument);  connect(&controller, &ModelDiffController::changed, ...);  if (auto
// diff = controller.diff()) paint(*diff);

#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QPointer>

#include "engine/base/progress.h"
#include "engine/base/result.h"
#include "engine/report/model_diff.h"
#include "ui/base/graph_target.h"

namespace cutaway::ui {

class Document;

class ModelDiffController : public QObject {
  Q_OBJECT
 public:
  enum class State { kIdle, kComparing, kFailed, kReady };
  explicit ModelDiffController(Document* document);  // the left side, A
  ~ModelDiffController() override;

  // B; when it goes away the comparison is dropped. Compared as soon as both are loaded, and again whenever one of them
  // is walked again.
  void compareWith(Document* other);
  void drop();
  State state() const { return m_state; }
  std::shared_ptr<const ModelDiff> diff() const { return m_diff; }
  const std::optional<Error>& error() const { return m_error; }
  Document* other() const;  // null: none
  // Which node of the other model a node belongs to, in the graphs as loaded; invalid: none. fromA: the node is of A.
  NodeTarget partner(const NodeTarget& node, bool fromA) const;
  // What is said about a node of the graphs as loaded; null: nothing.
  const NodeDiff* find(const NodeTarget& node, bool ofA) const;

 signals:
  void changed();

 private:
  void follow(Document* document);
  void start();
  // By graph and node: place in the diff's nodes, kNone: none. Made where the matching is, because large models have
  // many.
  using Places = std::vector<std::vector<int32_t>>;
  struct Compared {
    std::shared_ptr<const ModelDiff> diff;
    Places a, b;
  };
  static Compared placed(ModelDiff diff, const ModelGraphs& a, const ModelGraphs& b);
  void end(quint64 job, const Result<Compared>& compared);
  NodeTarget asLoaded(const NodeTarget& node, Document& side) const;

  Document* m_document;
  QPointer<Document> m_other;
  State m_state = State::kIdle;
  std::shared_ptr<const ModelDiff> m_diff;
  std::shared_ptr<const ModelGraphs> m_graphsA, m_graphsB;  // that are compared
  Places m_placesA, m_placesB;
  std::optional<Error> m_error;
  CancelToken m_token;
  quint64 m_job = 0;
};

}  // namespace cutaway::ui
