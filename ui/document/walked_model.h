#pragma once
// A study whose result depends on the loaded model alone, and that may be of a session's own copy: the file is not read
// again. A property of its StudyJob.
//
// Thread rule: GUI thread. Example: job->setProperty(kUsesWalkedModel, true);

namespace cutaway::ui {

inline constexpr char kUsesWalkedModel[] = "usesWalkedModel";

}  // namespace cutaway::ui
