// Edits are tried on the file's model before the walk begins again, so that one that is refused leaves everything on
// screen as it was.
#include "ui/document/edit_controller.h"

#include "engine/session/model_files.h"
#include "ui/document/document.h"
#include "ui/document/gui_call.h"

namespace cutaway::ui {
namespace {

using Edits = std::vector<edit::ModelEdit>;

struct Tried {
  size_t good = 0;  // so many of the list can be applied
  std::optional<Error> error;
};

// The longest beginning of the list, no shorter than what is known to be good.
Tried tryEdits(const std::string& path, const Edits& edits, size_t known) {
  Progress progress;
  const Result<std::shared_ptr<const Model>> model = session::loadModelFile(path, progress);
  if (!model) return {known, model.error()};
  Tried tried{edits.size(), std::nullopt};
  for (;;) {
    const Result<Model> edited = edit::applyEdits(**model, std::span(edits).first(tried.good));
    if (edited) return tried;
    tried.error = edited.error();
    if (tried.good <= known) return tried;
    --tried.good;
  }
}

Result<void> saveEdited(const std::string& path, const Edits& edits, const std::string& file, bool overwrite) {
  Progress progress;
  CUTAWAY_TRY(const std::shared_ptr<const Model> model, session::loadModelFile(path, progress));
  CUTAWAY_TRY(const Model edited, edit::applyEdits(*model, edits));
  return session::saveModelFile(edited, file, overwrite);
}

}  // namespace

EditController::EditController(Document* document) : QObject(document), m_document(document) {}

bool EditController::can() const {
  return m_document->service().host().hasEngine() && !m_document->path().isEmpty();
}

void EditController::add(const edit::ModelEdit& edit) {
  m_done.push_back(edit);
  m_undone.clear();
  apply();
}

void EditController::undo() {
  if (m_done.empty()) return;
  m_undone.push_back(std::move(m_done.back()));
  m_done.pop_back();
  apply();
}

void EditController::redo() {
  if (m_undone.empty()) return;
  m_done.push_back(std::move(m_undone.back()));
  m_undone.pop_back();
  apply();
}

void EditController::set(std::vector<edit::ModelEdit> edits) {
  m_done = std::move(edits);
  m_undone.clear();
  apply();
}

// What is a beginning of the list that the present walk was made with needs no trying.
void EditController::apply() {
  m_error.reset();
  const quint64 job = ++m_job;
  const size_t common = static_cast<size_t>(std::ranges::mismatch(m_done, m_walked).in1 - m_done.begin());
  if (common == m_done.size() || !can()) {
    m_trying = false;
    walk();
    return;
  }
  m_trying = true;
  emit changed();
  elsewhere(
      this,
      [path = m_document->path().toStdString(), edits = m_done, common]() -> Result<Tried> {
        return tryEdits(path, edits, common);
      },
      [job, common](EditController& owner, const Result<Tried>& tried) {
        if (tried)
          owner.endTrying(job, tried->good, tried->error);
        else
          owner.endTrying(job, common, tried.error());
      });
}

void EditController::endTrying(quint64 job, size_t good, const std::optional<Error>& error) {
  if (job != m_job) return;
  m_trying = false;
  m_error = error;
  m_done.resize(std::min(good, m_done.size()));
  if (m_done != m_walked) return walk();
  emit changed();
}

void EditController::walk() {
  if (m_done != m_walked) {
    m_walked = m_done;
    if (can()) m_document->reload();
  }
  emit changed();
}

void EditController::save(const QString& file, bool overwrite) {
  if (!can()) {
    m_error = Error{ErrorCode::kNotImplemented, "This window was built without saving models.", {}};
    emit changed();
    return;
  }
  if (m_saving) return;
  m_saving = true;
  m_error.reset();
  emit changed();
  elsewhere(
      this,
      [path = m_document->path().toStdString(), edits = m_done, target = file.toStdString(), overwrite] {
        return saveEdited(path, edits, target, overwrite);
      },
      [file, edits = m_done](EditController& owner, const Result<void>& saved) {
        owner.m_saving = false;
        if (saved) {
          owner.m_saved = edits;
          owner.m_file = file;
        } else {
          owner.m_error = saved.error();
        }
        emit owner.changed();
      });
}

const QString& EditController::savedFile() const {
  static const QString kNone;
  return m_saved == m_done ? m_file : kNone;
}

void EditController::drop() {
  ++m_job;
  m_done.clear();
  m_undone.clear();
  m_saved.clear();
  m_walked.clear();
  m_error.reset();
  m_file.clear();
  m_trying = false;
  emit changed();
}

}  // namespace cutaway::ui
