#pragma once
// The engine for a window: built providers, and the functions of the engine behind those that tests replace.
//
// Thread rule: the functions may be called on any worker thread. Example: ui::MainWindow window(makeEngineHost(),
// options, &viewState, &themes);

#include <memory>

#include "ui/document/engine_service.h"

namespace cutaway {

std::shared_ptr<const ui::EngineHost> makeEngineHost();

}  // namespace cutaway
