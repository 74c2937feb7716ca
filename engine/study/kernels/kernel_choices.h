#pragma once
// Which kernel every node of a model would run by: the session is made as for a run, and watched while it is.
//
// Takes the time and the memory of making a session. Thread rule: one thread. Example:
//   CUTAWAY_TRY(const KernelChoices choices, kernelChoices(source, options, table, progress));

#include "engine/report/kernel_report.h"
#include "engine/session/session.h"

namespace cutaway::study {

struct KernelChoices {
  std::shared_ptr<const WalkReport> walk;  // its partitioned graphs are those that the report speaks of
  KernelReport report;
};

// Errors: those of making a session that can run.
Result<KernelChoices> kernelChoices(const load::ModelSource& source, session::SessionOptions options,
                                    const ProviderTable& table, Progress& progress);

}  // namespace cutaway::study
