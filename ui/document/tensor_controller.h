#pragma once
// Contents of tensors, fetched when somebody wants to look: weights from the file, other values from a run that keeps
// them.
//
// Thread rule: GUI thread; fetching happens on a thread of its own (weights) or on the document's worker (runs). What
// was fetched last stays until another walk. Example: controller.fetch({0, "conv1.weight"});  connect(&controller,
// &TensorController::changed, ...);  if (auto content = controller.content()) show(*content);

#include <memory>
#include <optional>

#include <QObject>

#include "engine/base/progress.h"
#include "engine/study/tensor/tensor_content.h"
#include "ui/base/graph_target.h"

namespace cutaway::ui {

class Document;
class WeightSource;

class TensorController : public QObject {
  Q_OBJECT
 public:
  enum class State { kIdle, kFetching, kFailed, kReady };

  explicit TensorController(Document* document);
  ~TensorController() override;

  // What fetch() would have to do.
  enum class Way { kNone, kFile, kRun };  // kNone: no such value, or it cannot be had; whyNot() says why
  Way wayTo(const ValueTarget& value) const;
  QString whyNot(const ValueTarget& value) const;

  void fetch(const ValueTarget& value);  // replaces the fetch under way
  void cancel();
  void drop();  // another walk begins

  State state() const { return m_state; }
  const ValueTarget& value() const { return m_value; }  // asked for last
  std::shared_ptr<const study::TensorContent> content() const { return m_content; }
  const std::optional<Error>& error() const { return m_error; }

 signals:
  void changed();

 private:
  void readFile();
  void keepByRun();
  void end(quint64 job, Result<std::shared_ptr<const study::TensorContent>> content);
  bool fetchingByRun() const;  // the document's worker is at it
  void lost(quint64 job);

  Document* m_document;
  State m_state = State::kIdle;
  ValueTarget m_value;
  std::shared_ptr<const study::TensorContent> m_content;
  std::optional<Error> m_error;
  std::shared_ptr<WeightSource> m_weights;
  CancelToken m_token;
  quint64 m_job = 0;
};

}  // namespace cutaway::ui
