// ONNX Runtime is asked on the document's worker; the program that holds the window knows how.
#include "ui/document/opinion_controller.h"

#include "ui/document/document.h"

namespace cutaway::ui {
namespace {

Result<SecondOpinion> asked(const WorkPlace& place, const RunRequest& run, Progress& progress) {
  session::SessionOptions options = place.options;
  options.keepOptimized = false;
  options.lastStage = Stage::kPattern;
  options.prepareRun = true;
  std::vector<execute::Feed> feeds;
  if (place.session && !run.files.empty()) {
    CUTAWAY_TRY(feeds, makeFeeds(*place.session, run, place.options.dims, progress.token()));
  }
  progress.begin("ONNX Runtime", "asking it about the same model");
  return place.host.askOnnxruntime(place.source.path, options, std::move(feeds), progress);
}

}  // namespace

OpinionController::OpinionController(Document* document) : QObject(document), m_document(document) {}

QString OpinionController::whyNot() const {
  if (!m_document->service().host().askOnnxruntime) return tr("This window was built without ONNX Runtime.");
  if (m_document->path().isEmpty() || !m_document->walk()->load) return tr("Open a model first.");
  if (!m_document->edits().walked().empty())
    return tr("ONNX Runtime reads the file: save the edited model and open that.");
  return m_document->service().busy() && !busy() ? tr("Wait until the present work is finished, or cancel it.")
                                                 : QString();
}

void OpinionController::ask() {
  if (!whyNot().isEmpty() || busy()) return;
  m_error.reset();
  m_document->service().perform(
      Job::kOpinion, tr("Comparing with ONNX Runtime"),
      [this, run = m_document->request()](const WorkPlace& place, Progress& progress) {
        return [this, opinion = asked(place, run, progress)] { end(opinion); };
      },
      [this] { emit changed(); });
  emit changed();
}

bool OpinionController::busy() const {
  return m_document->service().job() == Job::kOpinion;
}

void OpinionController::end(const Result<SecondOpinion>& opinion) {
  // An older answer beside a newer error would read as if it still held.
  m_opinion = opinion ? std::make_shared<const SecondOpinion>(*opinion) : nullptr;
  if (!opinion) m_error = opinion.error();
  emit changed();
}

void OpinionController::drop() {
  if (busy()) m_document->service().cancel();
  m_opinion.reset();
  m_error.reset();
  emit changed();
}

}  // namespace cutaway::ui
