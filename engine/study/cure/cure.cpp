#include "engine/study/cure/cure.h"

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "engine/base/clock.h"
#include "engine/base/exception_text.h"
#include "engine/graph/node_label.h"
#include "engine/provider/provider_calls.h"
#include "engine/session/walk/session_providers.h"
#include "engine/stages/load/save.h"
#include "engine/stages/resolve/resolve.h"
#include "engine/study/cure/ask.h"
#include "engine/study/cure/prove.h"
#include "engine/study/cure/variant.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::study {

#define CUTAWAY_UNIT(name) const CureVariant& cure_##name();
#include "cure_variant_table.inc"
#undef CUTAWAY_UNIT

std::span<const CureVariant* const> cureVariants() {
  static const std::array kVariants = {
#define CUTAWAY_UNIT(name) &cure_##name(),
#include "cure_variant_table.inc"
#undef CUTAWAY_UNIT
  };
  return kVariants;
}

namespace {

constexpr size_t kMostSteps = 32;  // each frees at least one node, group or copy; models need a few

using SharedModel = std::shared_ptr<const Model>;

// Smaller is better: nodes left, operations left, groups, copies. Not operations taken: a form that computes more would
// gain by it.
auto rankOf(const CureFigures& figures) {
  return std::make_tuple(figures.left(), figures.flops - figures.takenFlops, figures.groups, figures.copies);
}

// Fewer nodes left; or as many, and fewer groups or copies without more of the other.
bool gains(const CureFigures& before, const CureFigures& after) {
  if (after.left() != before.left()) return after.left() < before.left();
  return std::tie(after.groups, after.copies) != std::tie(before.groups, before.copies) &&
         after.groups <= before.groups && after.copies <= before.copies && after.taken > 0;
}

// A proposal with its model, and the answer that made it one.
struct Found {
  CureProposal proposal;
  SharedModel model;
  Answer answer;
  int lessened = 0;  // CureChange::lessened
};

bool isBetter(const Found& a, const Found& b) {
  const auto key = [](const Found& each) {
    return std::tuple_cat(std::make_tuple(each.lessened, -each.proposal.nodesGained()), rankOf(each.proposal.after),
                          std::make_tuple(each.proposal.parts, each.proposal.after.nodes));
  };
  return key(a) < key(b);
}

class Search {
 public:
  Search(const CureRequest& request, const ProviderTable& table, Progress& progress)
      : m_request(request), m_table(table), m_progress(progress) {}

  Result<Cure> run() {
    const Stopwatch watch;
    CUTAWAY_CHECK(begin());
    const Answer first = m_answer;
    CureReport& report = m_cure.report;
    std::vector<Found> found;
    if (first.figures.left() > 0) {
      CUTAWAY_TRY(found, askAll(m_cure.original, first, true));
      for (Found& each : found)
        CUTAWAY_CHECK(prove(each));
    }
    noteRefused(first, found);
    CUTAWAY_CHECK(combine(found));
    for (const Found& each : found) {
      report.proposals.push_back(each.proposal);
      m_cure.single.push_back(each.model);
    }
    CUTAWAY_CHECK(compile());
    report.timeNs = watch.elapsedNs();
    return std::move(m_cure);
  }

 private:
  Result<void> begin() {
    m_progress.begin("Cure", "asking about the model as it is");
    Progress quiet(m_progress.token());
    CUTAWAY_TRY(load::LoadResult loaded, load::load(m_request.source, {}, quiet));
    m_cure.original = std::make_shared<const Model>(std::move(loaded.model));
    session::SessionOptions last = m_request.options;
    last.providers = {lastResort(m_table)};
    last.pins.clear();
    CUTAWAY_TRY(m_last, session::createProviders(last, m_table));
    CUTAWAY_TRY(m_answer, question(m_cure.original, false));
    m_prover.emplace(m_cure.original, m_request.options, m_table, m_request.tolerance, m_request.seed);
    CureReport& report = m_cure.report;
    report.provider = m_answer.provider;
    report.simulated = m_answer.simulated;
    report.before = report.after = m_answer.figures;
    report.relativeTolerance = m_request.tolerance.relative;
    report.absoluteTolerance = m_request.tolerance.absolute;
    report.seed = m_request.seed;
    return {};
  }

  Result<Answer> question(const SharedModel& model, bool compile) {
    ++m_cure.report.askings;
    const Question asked{.options = m_request.options,
                         .table = m_table,
                         .provider = m_answer.provider.empty() ? m_request.provider : m_answer.provider,
                         .compile = compile};
    return ask(model, asked, m_progress);
  }

  // Every change that gains something on this model, best first. first: attempts are kept.
  Result<std::vector<Found>> askAll(const SharedModel& model, const Answer& before, bool first) {
    Model typed = *model;
    Progress quiet(m_progress.token());
    CUTAWAY_TRY(const ResolveReport resolved,
                resolve::resolve(typed, {.dims = m_request.options.dims, .trace = false}, quiet));
    const std::vector<RefusedNode> refused = refusedNodes(typed.graph, before);
    const CureContext context{.model = *model,
                              .typed = typed,
                              .refused = refused,
                              .sizes = m_request.sizes,
                              .kernels = m_last.empty() ? nullptr : m_last.back()->kernels()};
    std::vector<std::pair<const CureVariant*, CureChange>> changes;
    for (const CureVariant* variant : cureVariants())
      for (CureChange& change : variant->propose(context))
        changes.emplace_back(variant, std::move(change));
    std::vector<Found> found;
    for (size_t i = 0; i < changes.size(); ++i) {
      const auto& [variant, change] = changes[i];
      if (m_progress.cancelled()) return fail(cancelledError());
      m_progress.begin("Cure", fmt::format("step {}, {} of {}: {}", m_cure.report.steps.size() + 1, i + 1,
                                           changes.size(), change.title));
      m_progress.update(i, changes.size());
      CUTAWAY_TRY(std::optional<Found> each, askOne(*variant, change, before, first));
      if (each) found.push_back(*std::move(each));
    }
    m_progress.update(changes.size(), changes.size());
    std::ranges::stable_sort(found, isBetter);
    return found;
  }

  Result<std::optional<Found>> askOne(const CureVariant& variant, const CureChange& change, const Answer& before,
                                      bool first) {
    const auto attempt = [&](std::string outcome) {
      if (first) m_cure.report.attempts.push_back({std::string(variant.name), change.title, std::move(outcome)});
      return std::optional<Found>();
    };
    Result<Model> changed = guarded(change);
    if (m_progress.cancelled()) return fail(cancelledError());
    if (!changed) return attempt("not possible: " + changed.error().message);
    const auto model = std::make_shared<const Model>(*std::move(changed));
    Result<Answer> answer = question(model, false);
    if (m_progress.cancelled()) return fail(cancelledError());
    if (!answer) return attempt("asking failed: " + answer.error().message);
    const CureFigures& after = answer->figures;
    if (!gains(before.figures, after))
      return attempt(fmt::format("nothing gained: {} of {} nodes, {} left", after.taken, after.nodes, after.left()));
    CureProposal proposal{.variant = std::string(variant.name),
                          .title = change.title,
                          .consequence = change.consequence,
                          .assumed = change.assumed,
                          .parts = change.parts,
                          .before = before.figures,
                          .after = after,
                          .freed = {},
                          .proof = {}};
    noteFreed(before, *answer, proposal);
    return Found{
        .proposal = std::move(proposal), .model = model, .answer = *std::move(answer), .lessened = change.lessened};
  }

  static Result<Model> guarded(const CureChange& change) { return ProviderCalls::guarded<Model>(change.apply); }

  Result<void> prove(Found& found) {
    if (m_progress.cancelled()) return fail(cancelledError());
    m_progress.begin("Cure", "comparing results: " + found.proposal.title);
    ++m_cure.report.proofs;
    CUTAWAY_TRY(found.proposal.proof, m_prover->prove(found.model, m_progress));
    return {};
  }

  // Best first; what is proposed on top of a step is asked about anew, since one change may make another one possible.
  Result<void> combine(const std::vector<Found>& first) {
    CureReport& report = m_cure.report;
    std::vector<Found> open = first;
    Answer now = m_answer;
    SharedModel model = m_cure.original;
    while (report.steps.size() < kMostSteps) {
      const auto chosen = std::ranges::find_if(open, [](const Found& each) { return each.proposal.proof.agrees; });
      if (chosen == open.end()) break;
      now = chosen->answer;
      model = chosen->model;
      report.steps.push_back(chosen->proposal);
      m_cure.combined.push_back(model);
      if (now.figures.left() == 0) break;
      CUTAWAY_TRY(open, askAll(model, now, false));
      // Proofs cost two runs: only the best one that agrees is needed.
      for (Found& each : open) {
        CUTAWAY_CHECK(prove(each));
        if (each.proposal.proof.agrees) break;
      }
    }
    report.after = now.figures;
    if (report.steps.size() == kMostSteps)
      report.warnings.push_back(fmt::format("the search ended after {} steps", kMostSteps));
    report.stillRefused = nodesOf(now);
    return {};
  }

  // Whether the groups compile is another answer than whether they are claimed.
  Result<void> compile() {
    CureReport& report = m_cure.report;
    if (!m_request.compile || m_cure.combined.empty()) return {};
    m_progress.begin("Cure", "compiling the changed model");
    m_progress.update(0, 0);
    Result<Answer> answer = question(m_cure.combined.back(), true);
    if (m_progress.cancelled()) return fail(cancelledError());
    if (!answer) {
      report.warnings.push_back("with all steps the model was claimed and could not be compiled: " +
                                answer.error().message);
      return {};
    }
    report.compiled = true;
    report.afterCompile = answer->figures;
    if (answer->figures.taken < report.after.taken)
      report.warnings.push_back(fmt::format("{} of {} claimed nodes did not compile",
                                            report.after.taken - answer->figures.taken, report.after.taken));
    return {};
  }

  // By origin, since passes make nodes of nodes; of the operator that was refused where no pass did.
  static std::vector<RefusedNode> refusedNodes(const Graph& graph, const Answer& answer) {
    std::map<size_t, std::vector<NodeId>> byOrigin;
    for (const NodeId id : graph.nodeIds())
      for (const OriginId origin : graph.node(id).origins)
        byOrigin[origin.index()].push_back(id);
    std::vector<RefusedNode> refused;
    std::set<size_t> seen;
    for (const LeftNode& left : answer.left) {
      if (!left.inMain) continue;
      for (const OriginId origin : left.origins) {
        for (const NodeId id : byOrigin[origin.index()]) {
          const bool same = left.rewritten || graph.node(id).opType == left.opType;
          if (same && seen.insert(id.index()).second) refused.push_back({id, left.cause, left.reason});
        }
      }
    }
    return refused;
  }

  std::string originName(size_t origin) const {
    const std::vector<Origin>& origins = m_cure.original->origins;
    return origin < origins.size() ? nodeName(origins[origin].name, origins[origin].opType, origin) : std::string();
  }

  void noteFreed(const Answer& before, const Answer& after, CureProposal& proposal) const {
    const std::set<size_t> still = after.leftOrigins();
    for (const size_t origin : before.leftOrigins()) {
      if (still.contains(origin)) continue;
      proposal.freed.push_back(originName(origin));
      proposal.freedOrigins.push_back(static_cast<int32_t>(origin));
    }
  }

  std::vector<CureNode> nodesOf(const Answer& answer) const {
    std::vector<CureNode> nodes;
    std::set<size_t> seen;
    for (const LeftNode& left : answer.left) {
      for (const OriginId origin : left.origins) {
        if (!seen.insert(origin.index()).second) continue;
        const auto index = origin.index();
        const bool known = index < m_cure.original->origins.size();
        nodes.push_back({.name = originName(index),
                         .opType = known ? m_cure.original->origins[index].opType : SharedText(left.opType),
                         .cause = left.cause,
                         .reason = left.reason,
                         .proposals = {}});
      }
    }
    return nodes;
  }

  void noteRefused(const Answer& answer, const std::vector<Found>& found) {
    std::vector<CureNode>& refused = m_cure.report.refused;
    refused = nodesOf(answer);
    std::map<std::string, std::vector<int32_t>> byName;
    std::vector<int32_t> smallestFirst(found.size());
    for (size_t i = 0; i < found.size(); ++i)
      smallestFirst[i] = static_cast<int32_t>(i);
    std::ranges::stable_sort(smallestFirst, {},
                             [&](int32_t i) { return found[static_cast<size_t>(i)].proposal.parts; });
    for (const int32_t i : smallestFirst)
      if (found[static_cast<size_t>(i)].proposal.proof.agrees)
        for (const std::string& name : found[static_cast<size_t>(i)].proposal.freed)
          byName[name].push_back(i);
    for (CureNode& node : refused)
      if (const auto known = byName.find(node.name); known != byName.end()) node.proposals = known->second;
  }

  const CureRequest& m_request;
  const ProviderTable& m_table;
  Progress& m_progress;
  Cure m_cure;
  Answer m_answer;
  std::vector<std::unique_ptr<ExecutionProvider>> m_last;  // has the kernels that compute beforehand
  std::optional<Prover> m_prover;
};

}  // namespace

Result<Cure> findCure(const CureRequest& request, const ProviderTable& table, Progress& progress) {
  const HeapLimit limit(request.options.memoryLimitBytes);
  try {
    return Search(request, table, progress).run();
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kRuntimeException, "{}", exceptionText(exception));
  }
}

Result<void> saveCured(const Cure& cure, int proposal, const std::filesystem::path& path, bool overwrite) {
  if (proposal == kAllSteps && cure.combined.empty())
    return fail(ErrorCode::kInvalidArgument, "no proposal was proved, so there is nothing to apply");
  if (proposal != kAllSteps && (proposal < 0 || static_cast<size_t>(proposal) >= cure.single.size()))
    return fail(ErrorCode::kInvalidArgument, "there is no proposal {}: there are {}", proposal + 1, cure.single.size());
  const SharedModel& model = proposal == kAllSteps ? cure.combined.back() : cure.single[static_cast<size_t>(proposal)];
  return load::save(*model, path, load::saveOptionsLike(*model, overwrite));
}

}  // namespace cutaway::study
