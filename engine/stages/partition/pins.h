#pragma once
// Pins: nodes that the user gives to one provider, by name, by scope or by operator.
//
// A node is known by its own name and by the names of the loaded nodes it came from, so that a pin holds when the
// optimizer has rewritten the node or a function was inlined. Names inside bodies are also known with their path
// ("loop1/body/add"); a scope ends at a '/'. Thread rule: as Reservations. Linear in nodes times pins. Example:
//   CUTAWAY_TRY(std::vector<int32_t> rules, addPinRules(options.pins, kept));
//   bindPins(model, options.pins, rules, kept);     // again whenever graphs have changed

#include "engine/base/result.h"
#include "engine/graph/model.h"
#include "engine/stages/partition/reservations.h"

namespace cutaway::partition {

// "node:conv1=cpu", "scope:/encoder=cpu", "op:com.microsoft:Gelu=cpu".
std::string pinText(const NodePin& pin);

// One rule for each pin. INVALID_ARGUMENT for a provider that the session has not, and for an empty pattern.
Result<std::vector<int32_t>> addPinRules(std::span<const NodePin> pins, Reservations& kept);

bool pinFits(const NodePin& pin, const Model& model, const Node& node);

// rules: as addPinRules gave them. The first pin that fits a node decides.
void bindPins(const Model& model, std::span<const NodePin> pins, std::span<const int32_t> rules, Reservations& kept);

}  // namespace cutaway::partition
