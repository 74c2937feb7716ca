#include "ui/canvas/view/scene_loader.h"

#include "engine/base/clock.h"
#include "ui/canvas/opened_groups.h"
#include "ui/document/gui_call.h"

namespace cutaway::ui {

SceneLoader::SceneLoader(QObject* parent) : QObject(parent), m_cache(std::make_shared<SceneCache>()) {
  m_pool.setMaxThreadCount(1);
}

SceneLoader::~SceneLoader() {
  m_token.cancel();
  m_pool.clear();
  m_pool.waitForDone();  // the steps of a layout ask the token; the longest takes some hundredths of a second
}

void SceneLoader::cancel() {
  m_token.cancel();
  ++m_job;
  m_busy = false;
}

void SceneLoader::load(const LoadRequest& request) {
  m_token.cancel();
  m_token = CancelToken();
  m_busy = true;
  const quint64 job = ++m_job;
  m_pool.clear();
  m_pool.start([this, request, token = m_token, job] {
    const auto built = withinMemory([&]() -> Result<LoadedScene> { return build(request, token); });
    if (!built) m_cache.reset();  // the build left it half done
    if (built && !built->scene) return;
    QMetaObject::invokeMethod(this, [this, job, built] { end(job, built); }, Qt::QueuedConnection);
  });
}

// Without a scene: cancelled.
LoadedScene SceneLoader::build(const LoadRequest& request, const CancelToken& token) {
  const Stopwatch watch;
  LoadedScene result;
  SceneRequest scene = request.scene;
  if (!m_cache) m_cache = std::make_shared<SceneCache>();
  scene.cache = m_cache;
  if (!scene.scopes && scene.graph < static_cast<int>(scene.graphs->graphs.size()))
    scene.scopes = m_cache->groups(scene);
  if (request.chooseUnfolded && scene.scopes) scene.unfolded = initiallyUnfolded(*scene.scopes);
  if (request.openGroups && scene.scopes) scene.unfolded += hullPaths(*scene.graphs, scene.graph, *scene.scopes);
  result.unfolded = scene.unfolded;
  result.scene = buildScene(scene, token);
  result.layoutNs = watch.elapsedNs();
  return result;
}

void SceneLoader::end(quint64 job, const Result<LoadedScene>& built) {
  if (job != m_job) return;
  m_busy = false;
  built ? emit loaded(*built) : emit failed(built.error());
}

}  // namespace cutaway::ui
