#include "engine/report/json_cure.h"

#include <nlohmann/json.hpp>

namespace cutaway {
namespace {

using Json = nlohmann::json;

Json proposalJson(const CureProposal& proposal) {
  return {{"variant", proposal.variant},
          {"title", proposal.title},
          {"consequence", proposal.consequence},
          {"assumed", proposal.assumed},
          {"parts", proposal.parts},
          {"before", cureFiguresToJson(proposal.before)},
          {"after", cureFiguresToJson(proposal.after)},
          {"nodes_gained", proposal.nodesGained()},
          {"flops_gained", proposal.flopsGained()},
          {"freed", proposal.freed},
          {"proof",
           {{"ran", proposal.proof.ran},
            {"agrees", proposal.proof.agrees},
            {"max_absolute", proposal.proof.maxAbsolute},
            {"max_relative", proposal.proof.maxRelative},
            {"elements", proposal.proof.elements},
            {"outside", proposal.proof.outside},
            {"worst_output", proposal.proof.worstOutput},
            {"note", proposal.proof.note}}}};
}

Json nodesJson(const std::vector<CureNode>& nodes) {
  Json list = Json::array();
  for (const CureNode& node : nodes)
    list.push_back({{"name", node.name},
                    {"operator", node.opType},
                    {"cause", refusalCauseName(node.cause)},
                    {"reason", node.reason},
                    {"proposals", node.proposals}});
  return list;
}

Json proposalsJson(const std::vector<CureProposal>& proposals) {
  Json list = Json::array();
  for (const CureProposal& proposal : proposals)
    list.push_back(proposalJson(proposal));
  return list;
}

}  // namespace

nlohmann::json cureFiguresToJson(const CureFigures& figures) {
  return {{"nodes", figures.nodes},
          {"taken", figures.taken},
          {"left", figures.left()},
          {"flops", figures.flops},
          {"taken_flops", figures.takenFlops},
          {"unsized_nodes", figures.unsizedNodes},
          {"groups", figures.groups},
          {"copies", figures.copies}};
}

Json cureToJson(const CureReport& report) {
  Json attempts = Json::array();
  for (const CureAttempt& attempt : report.attempts)
    attempts.push_back({{"variant", attempt.variant}, {"title", attempt.title}, {"outcome", attempt.outcome}});
  return {{"provider", report.provider},
          {"simulated", report.simulated},
          {"before", cureFiguresToJson(report.before)},
          {"after", cureFiguresToJson(report.after)},
          {"after_compile", report.compiled ? cureFiguresToJson(report.afterCompile) : Json()},
          {"refused", nodesJson(report.refused)},
          {"still_refused", nodesJson(report.stillRefused)},
          {"proposals", proposalsJson(report.proposals)},
          {"steps", proposalsJson(report.steps)},
          {"attempts", std::move(attempts)},
          {"tolerance", {{"relative", report.relativeTolerance}, {"absolute", report.absoluteTolerance}}},
          {"seed", report.seed},
          {"askings", report.askings},
          {"proofs", report.proofs},
          {"time_ns", report.timeNs},
          {"warnings", report.warnings}};
}

}  // namespace cutaway
