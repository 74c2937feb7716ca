#include "engine/study/derive/derive_lists.h"

namespace cutaway::study {

Result<DerivedInputsOutputs> deriveLists(const load::ModelSource& source, const resolve::ManualLists& manual,
                                         Progress& progress) {
  CUTAWAY_TRY(load::LoadResult loaded, load::load(source, {.allowMissingExternalData = true}, progress));
  return resolve::deriveInputsOutputs(loaded.model, manual);
}

}  // namespace cutaway::study
