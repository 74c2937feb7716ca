#pragma once
// What colours mean on the canvas: one overlay is one unit in overlays/<id>.cpp that says for every node a category
// (with a letter and words) or an amount.
//
// An overlay is named by its id everywhere. The order of the table is the order in overlays/CMakeLists.txt and that of
// every menu. Thread rule: pure over immutable snapshots. Example: Overlay overlay = makeOverlay("provider", *walk,
// GraphVersion::kPartitioned, 0);

#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <QChar>
#include <QString>

#include "engine/report/truth.h"
#include "engine/report/walk_report.h"
#include "ui/base/graph_target.h"
#include "ui/base/provider_marks.h"

namespace cutaway {
struct AccuracyReport;
struct ModelDiff;
}  // namespace cutaway

namespace cutaway::ui {

struct NodeFacts;
struct OverlayDescriptor;
struct RuleMatches;

struct LegendEntry {
  int category = 0;
  QChar letter;
  QString label;
  int count = 0;  // nodes
  TruthKind truth = TruthKind::kExact;
};

// Of what is made of both: the one that says less.
TruthKind lessSure(TruthKind a, TruthKind b);

// Category of the legend's entry for Overlay::marks.
inline constexpr int kMarkedNodes = -2;

struct Overlay {
  const OverlayDescriptor* descriptor = nullptr;  // null: nothing is coloured
  std::vector<signed char> category;              // per node, -1 none; of overlays with categories
  std::vector<double> amount;                     // per node, negative: unknown; of ramps
  double largest = 0;
  std::vector<LegendEntry> legend;            // categories
  QString lowText, highText;                  // ramps
  TruthKind truth = TruthKind::kExact;        // of the amounts
  std::unordered_map<int, TruthKind> truths;  // by node: where it is another
  TruthKind wholeTruth = TruthKind::kExact;   // of all amounts together, for the legend
  std::unordered_map<int, QString> marks;  // by node: what is to be known of it beside its colour, a corner of its card
  bool available = true;
  QString missing;  // why not

  std::string_view id() const;
  QString title() const;
  bool isRamp() const;
  QString amountText(double amount) const;
  QChar letterOf(int category) const;
  TruthKind truthOf(int node) const;
  // Where an amount stands on the ramp, 0 to 1.
  double shareOf(double amount, double largest) const;
};

// What an overlay may need beyond the walk; what is null is not there.
struct OverlayExtras {
  const AccuracyReport* accuracy = nullptr;
  const ModelDiff* diff = nullptr;
  bool diffSideA = true;               // which side of the difference the graph is
  const RuleMatches* rules = nullptr;  // style rules and what they hit, of the graphs that are shown
  const NodeFacts* facts = nullptr;    // of the graph that is shown
};

struct OverlaySource {
  const WalkReport& walk;
  GraphVersion version;
  int graph;
  const GraphReport& report;
  const ProviderMarks& marks;
  const OverlayExtras& extras;
};

enum class OverlayShape { kPlain, kCategories, kRamp };
enum class OverlayScale {
  kLinear,
  kSquareRoot,
  kLogarithm
};  // square root: a few nodes hold most of it, the others would all look alike
enum class OverlayFold { kSum, kFirst, kLargest };  // what a folded scope shows of its nodes' amounts

struct OverlayDescriptor {
  const char* id = "";
  const char* title = "";  // QT_TRANSLATE_NOOP("Overlay", ...)
  OverlayShape shape = OverlayShape::kCategories;
  std::vector<Stage> stages = {};  // that show it unless the user chose otherwise
  OverlayScale scale = OverlayScale::kSquareRoot;
  OverlayFold fold = OverlayFold::kSum;
  bool ownInside =
      false;  // original nodes inside a context node have it of their own, else they show what the context node shows
  bool sumsLeaveOut = false;  // a node without an amount is left out of a sum, which is a part then
  bool showsEmpty = false;    // the legend also names categories without nodes
  // `category` or `amount` come filled with -1, one for each node.
  std::function<void(Overlay& overlay, const OverlaySource& source)> fill = {};
  QString (*amountText)(double amount) = nullptr;  // of ramps
};

// All overlays in the order of the menus, those of plug-ins behind the built ones. Plug-ins that are opened later have
// none: windows and other threads hold on to the table.
const std::vector<const OverlayDescriptor*>& overlayTable();
const OverlayDescriptor* findOverlay(std::string_view id);  // null: there is none
QString overlayTitle(const OverlayDescriptor& descriptor);
// What a stage shows unless the user chose otherwise.
const char* overlayFor(Stage stage);

// marks: colours and letters of providers; null: those of this walk. An unknown id colours nothing.
Overlay makeOverlay(std::string_view id, const WalkReport& walk, GraphVersion version, int graph,
                    const ProviderMarks* marks = nullptr, const OverlayExtras& extras = {});

}  // namespace cutaway::ui
