#pragma once
// The edits of the open model: done, undone, redone; every change walks the edited model again, and nothing reaches the
// disk before save().
//
// Thread rule: GUI thread. Example: controller.add({.kind = EditKind::kBypassNode, .origin = 12});  controller.undo();
// controller.save("small.onnx", false);

#include <optional>
#include <vector>

#include <QObject>

#include "engine/base/result.h"
#include "engine/edit/model_edit.h"

namespace cutaway::ui {

class Document;

class EditController : public QObject {
  Q_OBJECT
 public:
  explicit EditController(Document* document);

  bool can() const;  // the program has what it takes, and a model is open
  // What was undone is forgotten. An edit that cannot be applied leaves the list again, with error() saying why; the
  // walk is left alone then.
  void add(const edit::ModelEdit& edit);
  void undo();
  void redo();
  void set(std::vector<edit::ModelEdit> edits);  // of a session file
  bool canUndo() const { return !m_done.empty(); }
  bool canRedo() const { return !m_undone.empty(); }
  const std::vector<edit::ModelEdit>& edits() const { return m_done; }
  const std::vector<edit::ModelEdit>& walked() const {
    return m_walked;
  }  // what the present walk was made with: edits() without what is being tried
  bool unsaved() const { return !m_done.empty() && m_done != m_saved; }
  // Writes the edited model. ask first: an existing file is only replaced with overwrite.
  void save(const QString& file, bool overwrite);
  bool saving() const { return m_saving; }
  const std::optional<Error>& error() const { return m_error; }  // of the latest edit or save
  const QString& savedFile() const;         // the latest, while it holds the present edits; else empty
  bool trying() const { return m_trying; }  // an edit is being tried before the walk begins again
  void drop();                              // another file

 signals:
  void changed();

 private:
  void apply();
  // So many of the list can be applied; why no more.
  void endTrying(quint64 job, size_t good, const std::optional<Error>& error);
  void walk();

  Document* m_document;
  std::vector<edit::ModelEdit> m_done, m_undone, m_saved;
  std::vector<edit::ModelEdit> m_walked;  // what the walk on screen, or under way, was made with
  std::optional<Error> m_error;
  QString m_file;
  quint64 m_job = 0;
  bool m_saving = false;
  bool m_trying = false;
};

}  // namespace cutaway::ui
