#pragma once
// The edits of the open model: done, undone, redone; every change walks the edited model again, and nothing reaches the disk before save().
//
// Thread rule: GUI thread. Example: desk.add({.kind = EditKind::kBypassNode, .origin = 12});  desk.undo();  desk.save("small.onnx", false);

#include <QObject>
#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "engine/edit/model_edit.h"

namespace cutaway::ui {

class Document;

class EditDesk : public QObject {
  Q_OBJECT
 public:
  explicit EditDesk(Document* document);

  bool can() const;  // the program has what it takes, and a model is open
  void add(const ModelEdit& edit);  // what was undone is forgotten
  void undo();
  void redo();
  void set(std::vector<ModelEdit> edits);  // of a session file
  bool canUndo() const { return !m_done.empty(); }
  bool canRedo() const { return !m_undone.empty(); }
  const std::vector<ModelEdit>& edits() const { return m_done; }
  bool unsaved() const { return m_done != m_saved; }
  // Writes the edited model. ask first: an existing file is only replaced with overwrite.
  void save(const QString& file, bool overwrite);
  bool saving() const { return m_saving; }
  const std::optional<Error>& error() const { return m_error; }  // of the latest edit or save
  const QString& savedFile() const { return m_savedFile; }       // the latest, while it holds the present edits
  void drop();                                                   // another file

 signals:
  void changed();

 private:
  void apply();

  Document* m_document;
  std::vector<ModelEdit> m_done, m_undone, m_saved;
  std::optional<Error> m_error;
  QString m_savedFile;
  bool m_saving = false;
};

}  // namespace cutaway::ui
