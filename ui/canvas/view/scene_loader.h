#pragma once
// Builds scenes away from the GUI thread; a new request cancels the one before.
//
// Thread rule: GUI thread. Example: loader.load(request);  connect(&loader, &SceneLoader::loaded, ...);

#include <QObject>
#include <QThreadPool>

#include "engine/base/result.h"
#include "ui/canvas/scene_cache.h"

namespace cutaway::ui {

struct LoadRequest {
  SceneRequest scene;
  bool chooseUnfolded = false;  // open what initiallyUnfolded() says
  bool openGroups = false;      // open all compiled groups, too
};

struct LoadedScene {
  std::shared_ptr<const Scene> scene;
  QSet<QString> unfolded;
  qint64 layoutNs = 0;
};

class SceneLoader : public QObject {
  Q_OBJECT
 public:
  explicit SceneLoader(QObject* parent = nullptr);
  ~SceneLoader() override;

  void load(const LoadRequest& request);
  void cancel();
  bool busy() const { return m_busy; }

 signals:
  void loaded(const cutaway::ui::LoadedScene& scene);
  void failed(const cutaway::Error& error);  // memory ran out

 private:
  LoadedScene build(const LoadRequest& request, const CancelToken& token);
  void end(quint64 job, const Result<LoadedScene>& built);

  QThreadPool m_pool;
  CancelToken m_token;
  std::shared_ptr<SceneCache> m_cache;  // touched by the worker alone; null: after a build that failed
  quint64 m_job = 0;
  bool m_busy = false;
};

}  // namespace cutaway::ui
