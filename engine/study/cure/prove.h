#pragma once
// Whether a changed model computes what the original does: both on the same random inputs.
//
// Thread rule: one thread. Example: Prover prover(original, options, table, tolerance, seed);
//   CUTAWAY_TRY(CureProof proof, prover.prove(changed, progress));

#include <memory>
#include <optional>
#include <string>

#include "engine/report/cure_report.h"
#include "engine/session/session.h"
#include "engine/study/accuracy/value_error.h"

namespace cutaway::study {

class Prover {
 public:
  // Runs on the provider that takes the rest, with `options` otherwise.
  Prover(std::shared_ptr<const Model> original, const session::SessionOptions& options, const ProviderTable& table,
         const ErrorTolerance& tolerance, uint64_t seed);

  // The inputs are those of the changed model, whose sizes the original takes, too. What keeps a side from running is
  // the proof's note. MODEL_LOAD_CANCELED.
  Result<CureProof> prove(const std::shared_ptr<const Model>& changed, const Progress& progress);

 private:
  using Outputs = std::vector<execute::Feed>;
  Result<std::unique_ptr<session::Session>> open(const std::shared_ptr<const Model>& model, Progress& progress) const;
  Result<const Outputs*> originalOutputs(const Outputs& feeds, Progress& progress);
  void compare(const Outputs& changed, const Outputs& original, CureProof& proof) const;

  std::shared_ptr<const Model> m_original;
  session::SessionOptions m_options;
  const ProviderTable& m_table;
  ErrorTolerance m_tolerance;
  uint64_t m_seed;
  std::unique_ptr<session::Session> m_session;  // of the original, from the first proof on
  std::optional<std::string> m_key;             // what the latest outputs of the original were made from
  Outputs m_outputs;
};

}  // namespace cutaway::study
