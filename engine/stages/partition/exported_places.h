#pragma once
// Nodes of an exported model that were outside of compiled groups stay with whoever ran them then: their metadata says
// so ("cutaway.provider"), as the weakest kind of reservation.
//
// Otherwise another provider could take what the exporting session left out, and outputs would differ. Everything that
// the user says comes first, and a provider that this session has not is nobody's. Thread rule: as Reservations. Linear
// in nodes. Example:
//   ExportedPlaces places(model, kept);
//   places.bind(model, kept);      // again whenever graphs have changed

#include <vector>

#include "engine/graph/model.h"
#include "engine/stages/partition/reservations.h"

namespace cutaway::partition {

class ExportedPlaces {
 public:
  ExportedPlaces() = default;
  // Rules only for the providers that nodes of the model name.
  ExportedPlaces(const Model& model, Reservations& kept);
  void bind(const Model& model, Reservations& kept) const;

 private:
  std::vector<int32_t> m_ruleOfProvider;  // by order of priority; empty: no node says anything
};

}  // namespace cutaway::partition
