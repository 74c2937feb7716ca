#pragma once
// One file or its bytes, as they are: load() without what lies elsewhere.
//
// Thread rule: pure. Example: CUTAWAY_TRY(LoadResult library, loadSource(ModelSource::file(path), {}, progress));

#include "engine/stages/load/load.h"

namespace cutaway::load {

// A model without nodes and outputs is fine; functions of libraries are not looked for, and the report has neither
// counts nor time. Errors as load().
Result<LoadResult> loadSource(const ModelSource& source, const LoadOptions& options, Progress& progress);

}  // namespace cutaway::load
