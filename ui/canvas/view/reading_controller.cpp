// Follows the document's snapshots: a new index for new graphs, new facts for a new walk, rules applied anew when any
// of them changed.
#include "ui/canvas/view/reading_controller.h"

#include <algorithm>
#include <map>

#include <QJsonDocument>

#include "ui/base/provider_marks.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/document/gui_call.h"
#include "ui/document/node_facts.h"

namespace cutaway::ui {
namespace {

constexpr int kMostSearches = 12;
constexpr size_t kMostUnasked = 20'000;  // nodes
const QString kRulesKey = QStringLiteral("rules/list");
const QString kSearchesKey = QStringLiteral("find/last");

// What is read in, of the graphs that are shown and of the groups that are opened in them.
struct Prepared {
  std::shared_ptr<const FindIndex> index, inGroups;
  FindFacts facts, factsOfGroups;
};

std::shared_ptr<const RuleMatches> matchRules(const StyleRules& rules, const FindIndex& index, const FindFacts& facts,
                                              const CancelToken& cancel) {
  auto matches = std::make_shared<RuleMatches>();
  matches->rules = rules;
  std::vector<QString> names;
  // Of "op:Conv" the C stands for it, not the O.
  for (const StyleRule& rule : rules)
    names.push_back(rule.name.isEmpty() ? rule.query.section(QLatin1Char(':'), -1) : rule.name);
  matches->letters = distinctLetters(names);
  for (size_t i = 0; i < rules.size(); ++i)
    if (!rules[i].letter.isNull() && std::count(matches->letters.begin(), matches->letters.end(), rules[i].letter) == 0)
      matches->letters[i] = rules[i].letter;
  for (const GraphReport& graph : index.graphs()->graphs)
    matches->ruleOfNode.emplace_back(graph.nodes.size(), static_cast<signed char>(-1));
  for (size_t i = 0; i < rules.size(); ++i) {
    const FindQuery query = FindQuery::parse(rules[i].query);
    matches->problems.push_back(query.problem() ? query.problem()->text : QString());
    const std::vector<FindHit> hits = index.search(query, facts, &cancel);
    matches->counts.push_back(static_cast<int>(hits.size()));
    if (!rules[i].enabled) continue;
    for (const FindHit& hit : hits)
      if (signed char& rule = matches->ruleOfNode[static_cast<size_t>(hit.graph)][static_cast<size_t>(hit.node)];
          rule < 0)
        rule = static_cast<signed char>(i);
  }
  return matches;
}

// Of nodes inside a group what is known of the optimised nodes that they are.
std::shared_ptr<const NodeFacts> factsInside(const OpenedGroup& group, const NodeFacts& asked) {
  auto facts = std::make_shared<NodeFacts>();
  facts->version = asked.version;
  facts->graph = asked.graph;
  facts->graphs = asked.graphs;
  const auto take = [&](auto column) {
    for (const int node : group.nodes)
      if (const auto n = static_cast<size_t>(node); n < (asked.*column).size())
        ((*facts).*column).push_back((asked.*column)[n]);
  };
  for (const auto column : {&NodeFacts::provider, &NodeFacts::refusal, &NodeFacts::rewrite, &NodeFacts::group})
    take(column);
  for (const auto column : {&NodeFacts::step, &NodeFacts::timeNs, &NodeFacts::outputBytes, &NodeFacts::flops,
                            &NodeFacts::parameters, &NodeFacts::weightBytes, &NodeFacts::movedBytes})
    take(column);
  take(&NodeFacts::error);
  return facts;
}

FindFacts factsInGroups(const OpenedGroups& opened, const WalkReport& walk, const AccuracyReport* accuracy) {
  FindFacts facts(opened.graphs->graphs.size());
  std::map<int, std::shared_ptr<const NodeFacts>> asked;
  for (size_t g = 0; g < opened.groups.size(); ++g) {
    auto& of = asked[opened.groups[g].graph];
    if (!of) of = makeNodeFacts(walk, GraphVersion::kOptimized, opened.groups[g].graph, accuracy);
    facts[static_cast<size_t>(opened.first) + g] = factsInside(opened.groups[g], *of);
  }
  return facts;
}

size_t nodesIn(const ModelGraphs& graphs) {
  size_t count = 0;
  for (const GraphReport& graph : graphs.graphs)
    count += graph.nodes.size();
  return count;
}

}  // namespace

ReadingController& ReadingController::of(Document* document) {
  auto* controller = document->findChild<ReadingController*>(QString(), Qt::FindDirectChildrenOnly);
  return controller ? *controller : *new ReadingController(document);
}

ReadingController::ReadingController(Document* document) : QObject(document), m_document(document) {
  m_pool.setMaxThreadCount(1);
  document->onWalkChange(kReports | WalkPart::kComparison, this, &ReadingController::follow);
  connect(document, &Document::stageChanged, this, &ReadingController::follow);
  connect(&document->accuracy(), &AccuracyController::changed, this, &ReadingController::follow);
  follow();
}

ReadingController::~ReadingController() {
  m_ruleCancel.cancel();
  m_pool.clear();
  m_pool.waitForDone();
}

void ReadingController::keepIn(ViewState* viewState) {
  m_viewState = viewState;
  m_lastSearches = viewState->get(kSearchesKey).toStringList();
  if (m_rules.empty())
    setRules(styleRulesFromJson(QJsonDocument::fromJson(viewState->get(kRulesKey).toString().toUtf8()).array()));
}

void ReadingController::keepSearch(const QString& line) {
  if (line.trimmed().isEmpty()) return;
  m_lastSearches.removeAll(line);
  m_lastSearches.prepend(line);
  while (m_lastSearches.size() > kMostSearches)
    m_lastSearches.removeLast();
  if (m_viewState) m_viewState->put(kSearchesKey, m_lastSearches);
}

void ReadingController::follow() {
  const GraphVersion version = m_document->shownVersion();
  auto graphs = m_document->graphs(version);
  const auto walk = m_document->walk();
  const auto accuracy = m_document->accuracy().report();
  if (graphs == m_graphs && version == m_version && m_walk == walk.get() && m_accuracy == accuracy.get()) return;
  const bool others = graphs != m_graphs;
  m_version = version;
  m_graphs = std::move(graphs);
  m_walk = walk.get();
  m_accuracy = accuracy.get();
  if (others) {
    drop();
    setReach({});
    emit prepared();
    emit matchesChanged();
  }
  ++m_job;
  m_made = false;
  if (m_graphs && (m_asked || !m_rules.empty() || nodesIn(*m_graphs) <= kMostUnasked)) make();
}

void ReadingController::drop() {
  m_index.reset();
  m_facts.clear();
  m_inGroups.reset();
  m_factsInGroups.clear();
  m_matches.reset();
}

// Who hears of it and asks for an index again does not get it at once: that would go on for as long as memory is short.
void ReadingController::endWithout(const Error& error) {
  m_ruleCancel.cancel();
  drop();
  m_error = error;
  emit prepared();
  emit matchesChanged();
  m_made = false;
}

void ReadingController::prepare() {
  m_asked = true;
  if (m_graphs && !m_made) make();
}

void ReadingController::make() {
  m_made = true;
  m_error.reset();
  // The canvas may hear of another version later than we do.
  const bool fits = m_version == GraphVersion::kPartitioned && m_graphs &&
                    m_opened.first == static_cast<int>(m_graphs->graphs.size());
  m_pool.start([this, job = m_job, walk = m_document->walk(), accuracy = m_document->accuracy().report(),
                version = m_version, shown = m_graphs, index = m_index, opened = fits ? m_opened : OpenedGroups(),
                inGroups = m_inGroups] {
    const auto made = withinMemory([&]() -> Result<Prepared> {
      Prepared all{index ? index : std::make_shared<const FindIndex>(shown), inGroups, {}, {}};
      if (!opened.groups.empty()) {
        if (!inGroups)
          all.inGroups = std::make_shared<const FindIndex>(opened.graphs, static_cast<size_t>(opened.first));
        all.factsOfGroups = factsInGroups(opened, *walk, accuracy.get());
      }
      for (size_t g = 0; g < shown->graphs.size(); ++g)
        all.facts.push_back(makeNodeFacts(*walk, version, static_cast<int>(g), accuracy.get()));
      return all;
    });
    QMetaObject::invokeMethod(
        this,
        [this, job, made] {
          if (job != m_job) return;
          if (!made) return endWithout(made.error());
          m_index = made->index;
          m_facts = made->facts;
          m_inGroups = made->inGroups;
          m_factsInGroups = made->factsOfGroups;
          emit prepared();
          applyRules();
        },
        Qt::QueuedConnection);
  });
}

void ReadingController::setOpened(OpenedGroups opened) {
  if (opened.graphs == m_opened.graphs && opened.groups.size() == m_opened.groups.size()) return;
  const bool any = !opened.groups.empty() || !m_opened.groups.empty();
  m_opened = std::move(opened);
  m_inGroups.reset();
  m_factsInGroups.clear();
  if (!any || !m_made) return;
  ++m_job;
  make();
}

NodeTarget ReadingController::targetOf(const FindHit& hit) const {
  if (const OpenedGroup* group = m_opened.of(hit.graph))
    return {GraphVersion::kOptimized, group->graph, group->nodes[static_cast<size_t>(hit.node)]};
  return {m_version, hit.graph, hit.node};
}

void ReadingController::find(const FindQuery& query, const CancelToken& cancel, Found found) {
  start(query, cancel, std::move(found), false);
}

void ReadingController::findInGroupsToo(const FindQuery& query, const CancelToken& cancel, Found found) {
  start(query, cancel, std::move(found), true);
}

void ReadingController::start(const FindQuery& query, const CancelToken& cancel, Found found, bool inGroups) {
  if (!m_index || query.empty()) return found(std::vector<FindHit>());
  m_pool.start(
      [this, query, cancel, found = std::move(found), index = m_index, facts = m_facts,
       groups = inGroups ? m_inGroups : nullptr, factsOfGroups = inGroups ? m_factsInGroups : FindFacts()] {
        if (cancel.cancelled()) return;
        Hits hits = withinMemory([&]() -> Hits {
          auto all = index->search(query, facts, &cancel);
          if (groups) {
            const std::vector<FindHit> inside = groups->search(query, factsOfGroups, &cancel);
            all.insert(all.end(), inside.begin(), inside.end());
          }
          return all;
        });
        QMetaObject::invokeMethod(
            this,
            [cancel, found, hits = std::move(hits)] {
              if (!cancel.cancelled()) found(hits);
            },
            Qt::QueuedConnection);
      },
      1);
}

void ReadingController::setRules(StyleRules rules) {
  if (rules == m_rules) return;
  m_rules = std::move(rules);
  if (m_viewState)
    m_viewState->put(kRulesKey, QString::fromUtf8(QJsonDocument(toJson(m_rules)).toJson(QJsonDocument::Compact)));
  emit rulesChanged();
  if (!m_rules.empty()) prepare();
  applyRules();
}

void ReadingController::applyRules() {
  m_ruleCancel.cancel();
  m_ruleCancel = CancelToken();
  if (!m_index) return;
  m_pool.start([this, rules = m_rules, index = m_index, facts = m_facts, cancel = m_ruleCancel] {
    using Matches = std::shared_ptr<const RuleMatches>;
    const auto matches = withinMemory([&]() -> Result<Matches> { return matchRules(rules, *index, facts, cancel); });
    QMetaObject::invokeMethod(
        this,
        [this, cancel, matches] {
          if (cancel.cancelled()) return;
          m_matches = matches.value_or(nullptr);
          m_error = matches ? std::nullopt : std::optional<Error>(matches.error());
          emit matchesChanged();
        },
        Qt::QueuedConnection);
  });
}

void ReadingController::setReach(Reach reach) {
  if (reach.empty() && m_reach.empty()) return;
  m_reach = std::move(reach);
  emit reachChanged();
}

}  // namespace cutaway::ui
