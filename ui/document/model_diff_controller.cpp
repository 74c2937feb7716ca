// Two documents compared by the graphs on their screens; weights are hashed from the files where they can be read.
#include "ui/document/model_diff_controller.h"

#include "engine/session/model_files.h"
#include "engine/study/difference/diff_models.h"
#include "ui/document/document.h"
#include "ui/document/gui_call.h"

namespace cutaway::ui {
namespace {

// One side, as a thread without the document needs it.
struct DiffSide {
  std::shared_ptr<const ModelGraphs> graphs;
  std::shared_ptr<const LoadReport> load;
  bool readable = false;  // the program can read its file again
  std::string path;
  std::vector<edit::ModelEdit> edits;
};

DiffSide sideOf(Document& document) {
  return {document.walk()->loadedGraphs, document.walk()->load, document.service().host().hasEngine(),
          document.path().toStdString(), document.edits().walked()};
}

// nullopt: the bytes are not to be had; the comparison does without them.
std::optional<study::WeightHashes> weightsOf(const DiffSide& side, const CancelToken& cancel) {
  if (!side.readable || side.path.empty()) return std::nullopt;
  Progress progress(cancel);
  const Result<std::shared_ptr<const Model>> model = session::loadModelFile(side.path, progress);
  if (!model) return std::nullopt;
  Result<Model> edited = edit::applyEdits(**model, side.edits);
  if (!edited) return std::nullopt;
  Result<study::WeightHashes> hashes = study::hashWeights(*edited, cancel);
  return hashes ? std::optional(*std::move(hashes)) : std::nullopt;
}

Result<ModelDiff> compared(const DiffSide& a, const DiffSide& b, const CancelToken& cancel) {
  const std::optional<study::WeightHashes> weightsA = weightsOf(a, cancel);
  const std::optional<study::WeightHashes> weightsB = weightsA ? weightsOf(b, cancel) : std::nullopt;
  if (cancel.cancelled()) return fail(cancelledError());
  ModelDiff diff =
      study::diffGraphs(*a.graphs, *b.graphs, weightsB ? &*weightsA : nullptr, weightsB ? &*weightsB : nullptr);
  if (a.load && b.load) diff.facts = study::diffFacts(*a.load, *b.load);
  return diff;
}

}  // namespace

ModelDiffController::ModelDiffController(Document* document) : QObject(document), m_document(document) {}
ModelDiffController::~ModelDiffController() {
  m_token.cancel();
}

Document* ModelDiffController::other() const {
  return m_other;
}

void ModelDiffController::compareWith(Document* other) {
  drop();
  if (!other) return;
  m_other = other;
  m_state = State::kComparing;
  follow(m_document);
  if (other != m_document) follow(other);
  connect(other, &QObject::destroyed, this, &ModelDiffController::drop);
  start();
  emit changed();
}

void ModelDiffController::follow(Document* document) {
  document->onWalkChange(kLoadedGraphs, this, &ModelDiffController::start);
}

// Whenever there are graphs on both sides that were not compared yet: structure first, and again with types once both
// are resolved.
void ModelDiffController::start() {
  if (!m_other) return;
  const DiffSide a = sideOf(*m_document), b = sideOf(*m_other);
  if (!a.graphs || !b.graphs || (a.graphs == m_graphsA && b.graphs == m_graphsB)) return;
  m_token.cancel();
  m_token = CancelToken();
  m_graphsA = a.graphs;
  m_graphsB = b.graphs;
  m_diff.reset();
  m_error.reset();
  m_state = State::kComparing;
  elsewhere(
      this,
      [a, b, token = m_token]() -> Result<Compared> {
        CUTAWAY_TRY(ModelDiff diff, compared(a, b, token));
        return placed(std::move(diff), *a.graphs, *b.graphs);
      },
      [job = ++m_job](ModelDiffController& owner, const Result<Compared>& done) { owner.end(job, done); });
  emit changed();
}

ModelDiffController::Compared ModelDiffController::placed(ModelDiff diff, const ModelGraphs& a, const ModelGraphs& b) {
  Compared done;
  const auto room = [](const ModelGraphs& graphs, Places& places) {
    for (const GraphReport& graph : graphs.graphs)
      places.emplace_back(graph.nodes.size(), kNone);
  };
  room(a, done.a);
  room(b, done.b);
  for (size_t i = 0; i < diff.nodes.size(); ++i) {
    const NodeDiff& node = diff.nodes[i];
    if (node.nodeA != kNone)
      done.a[static_cast<size_t>(node.graphA)][static_cast<size_t>(node.nodeA)] = static_cast<int32_t>(i);
    if (node.nodeB != kNone)
      done.b[static_cast<size_t>(node.graphB)][static_cast<size_t>(node.nodeB)] = static_cast<int32_t>(i);
  }
  done.diff = std::make_shared<const ModelDiff>(std::move(diff));
  return done;
}

void ModelDiffController::end(quint64 job, const Result<Compared>& compared) {
  if (job != m_job || !m_other) return;
  if (compared) {
    m_diff = compared->diff;
    m_placesA = compared->a;
    m_placesB = compared->b;
  } else {
    m_error = compared.error();
  }
  m_state = m_diff ? State::kReady : State::kFailed;
  emit changed();
}

void ModelDiffController::drop() {
  m_token.cancel();
  ++m_job;
  if (m_other && m_other != m_document) disconnect(m_other, nullptr, this, nullptr);
  disconnect(m_document, &Document::walkChanged, this, nullptr);
  m_other = nullptr;
  m_diff.reset();
  m_graphsA.reset();
  m_graphsB.reset();
  m_placesA.clear();
  m_placesB.clear();
  m_error.reset();
  m_state = State::kIdle;
  emit changed();
}

// Nodes of later graphs stand for the first of their original nodes.
NodeTarget ModelDiffController::asLoaded(const NodeTarget& node, Document& side) const {
  if (node.version == GraphVersion::kLoaded) return node;
  const NodeReport* report = side.node(node);
  const GraphIndex* index = side.index(GraphVersion::kLoaded);
  if (!report || !index) return {};
  for (const int32_t origin : report->origins)
    for (const NodePlace& place : index->nodesOf(origin))
      return {GraphVersion::kLoaded, place.graph, place.node};
  return {};
}

const NodeDiff* ModelDiffController::find(const NodeTarget& node, bool ofA) const {
  if (!m_diff || !node.valid()) return nullptr;
  const Places& places = ofA ? m_placesA : m_placesB;
  const auto graph = static_cast<size_t>(node.graph), at = static_cast<size_t>(node.node);
  if (node.graph < 0 || graph >= places.size() || at >= places[graph].size() || places[graph][at] == kNone)
    return nullptr;
  return &m_diff->nodes[static_cast<size_t>(places[graph][at])];
}

NodeTarget ModelDiffController::partner(const NodeTarget& node, bool fromA) const {
  if (!m_other || !m_diff) return {};
  const NodeDiff* found = find(asLoaded(node, fromA ? *m_document : *m_other), fromA);
  if (!found) return {};
  const NodeTarget target{GraphVersion::kLoaded, fromA ? found->graphB : found->graphA,
                          fromA ? found->nodeB : found->nodeA};
  return target.valid() ? target : NodeTarget();
}

}  // namespace cutaway::ui
