#pragma once
// The whole engine for a window: built providers, and a function for everything that the window may ask of the engine.
//
// Thread rule: the functions may be called on any worker thread. Example: ui::MainWindow window(makeEngineHost(),
// options, &viewState, &themes);

#include <memory>

#include "ui/document/engine_service.h"

namespace cutaway {

std::shared_ptr<const ui::EngineHost> makeEngineHost();

}  // namespace cutaway
