#include "engine/study/derive/derive_lists.h"

#include "engine/stages/resolve/derive.h"

namespace cutaway::study {

Result<DerivedInputsOutputs> deriveLists(const load::ModelSource& source, Progress& progress) {
  CUTAWAY_TRY(load::LoadResult loaded, load::load(source, {.allowMissingExternalData = true}, progress));
  return resolve::deriveInputsOutputs(loaded.model);
}

}  // namespace cutaway::study
