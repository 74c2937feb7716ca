#pragma once
// What reading a document shares between canvas, panels and commands: the index to search in, facts of nodes, style
// rules and what they hit, the highlighted part of the graph.
//
// One for each document, made when first asked for; index, facts, searches and rules are worked out on a thread of its
// own, as far as there is memory for them. Thread rule: GUI thread. Example:
//   ReadingController& controller = ReadingController::of(document);
//   controller.find(query, token, [this](const auto& hits) { hits ? show(*hits) : tell(hits.error()); });

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QStringList>
#include <QThreadPool>

#include "engine/base/result.h"
#include "ui/base/graph_target.h"
#include "ui/base/style_rules.h"
#include "ui/canvas/find_index.h"
#include "ui/canvas/opened_groups.h"

namespace cutaway::ui {

class Document;
class ViewState;

// A part of one graph that is brought out, the rest fades.
struct Reach {
  GraphVersion version = GraphVersion::kLoaded;
  int graph = 0;
  std::vector<int> nodes;  // ascending
  QString title;           // "downstream of Conv conv1: 12 nodes"
  bool empty() const { return nodes.empty(); }
};

class ReadingController : public QObject {
  Q_OBJECT
 public:
  static ReadingController& of(Document* document);
  ~ReadingController() override;

  // Rules and last searches are remembered there from now on.
  void keepIn(ViewState* viewState);

  GraphVersion version() const { return m_version; }
  const std::shared_ptr<const ModelGraphs>& graphs() const { return m_graphs; }  // that are shown; null: none
  const std::shared_ptr<const FindIndex>& index() const { return m_index; }      // of graphs(); null while it is made
  const FindFacts& facts() const { return m_facts; }  // of graphs(); empty while they are made

  // Why index, facts or matches are missing: memory ran out. The next who asks for them has them made again.
  const std::optional<Error>& error() const { return m_error; }

  // Index and facts of large graphs take memory that many sessions never need: they are made once somebody asks.
  void prepare();

  // Compiled groups that the canvas opens in their places: what is inside of them is found as well.
  void setOpened(OpenedGroups opened);
  // What a hit is about: of a node inside a compiled group the optimised node.
  NodeTarget targetOf(const FindHit& hit) const;

  using Hits = Result<std::vector<FindHit>>;
  using Found = std::function<void(const Hits&)>;
  // Searches, and calls back here unless the token was cancelled. Without an index nothing is found.
  void find(const FindQuery& query, const CancelToken& cancel, Found found);
  // With the nodes inside compiled groups: their hits name graphs of OpenedGroups.
  void findInGroupsToo(const FindQuery& query, const CancelToken& cancel, Found found);

  const QString& search() const { return m_search; }  // what is looked for on the canvas
  void setSearch(const QString& line) {
    m_search = line;
    emit searchChanged();
  }
  const QStringList& lastSearches() const { return m_lastSearches; }
  void keepSearch(const QString& line);

  const StyleRules& rules() const { return m_rules; }
  void setRules(StyleRules rules);
  const std::shared_ptr<const RuleMatches>& matches() const { return m_matches; }  // null: not worked out

  const Reach& reach() const { return m_reach; }
  void setReach(Reach reach);

 signals:
  void prepared();  // index or facts are others
  void searchChanged();
  void rulesChanged();
  void matchesChanged();
  void reachChanged();

 private:
  explicit ReadingController(Document* document);
  void follow();
  void make();
  void drop();
  void endWithout(const Error& error);
  void applyRules();
  void start(const FindQuery& query, const CancelToken& cancel, Found found, bool inGroups);

  Document* m_document;
  ViewState* m_viewState = nullptr;
  QThreadPool m_pool;
  quint64 m_job = 0;
  bool m_asked = false;  // for index and facts
  bool m_made = false;   // or under way, of m_graphs and m_walk
  std::optional<Error> m_error;
  CancelToken m_ruleCancel;
  GraphVersion m_version = GraphVersion::kLoaded;
  std::shared_ptr<const ModelGraphs> m_graphs;
  const void* m_walk = nullptr;  // that the facts are of
  const void* m_accuracy = nullptr;
  std::shared_ptr<const FindIndex> m_index;
  FindFacts m_facts;
  OpenedGroups m_opened;
  std::shared_ptr<const FindIndex> m_inGroups;  // of m_opened; null: nothing is inside
  FindFacts m_factsInGroups;                    // by graph of m_opened, those before the first group are null
  QString m_search;
  QStringList m_lastSearches;
  StyleRules m_rules;
  std::shared_ptr<const RuleMatches> m_matches;
  Reach m_reach;
};

}  // namespace cutaway::ui
