// Pins are made of what a node is called in the optimised graph, which providers are asked about.
#include "ui/panels/pin_menu.h"

#include <algorithm>

#include <QMenu>

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/provider_marks.h"
#include "ui/document/document.h"
#include "ui/panels/panel_actions.h"

namespace cutaway::ui {
namespace {

constexpr int kMostScopes = 4;

const NodeReport* optimizedNode(const Document& document, const NodeTarget& target) {
  if (target.version == GraphVersion::kOptimized) return document.node(target);
  const NodeReport* node = document.node(target);
  const GraphIndex* index = document.index(GraphVersion::kOptimized);
  if (!node || !index || node->origins.empty()) return nullptr;
  for (const NodePlace& place : index->nodesOf(node->origins.front()))
    return document.node({GraphVersion::kOptimized, place.graph, place.node});
  return nullptr;
}

QMenu* subMenu(QMenu* menu, const QString& words) {
  return menu->addMenu(shortened(words, 60).replace(QLatin1Char('&'), QLatin1String("&&")));
}

}  // namespace

void addProviderEntries(QMenu* menu, Document* document, const NodePin& pin, const Theme& theme,
                        PanelActions* actions) {
  const ProviderMarks marks =
      providerMarks(*document->walk(), document->whatIf() ? document->whatIf()->walk.get() : nullptr);
  for (const DraftProvider& provider : document->draft().providers()) {
    if (!provider.enabled) continue;
    const std::string name = provider.name.toStdString();
    const QIcon mark(categoryMark(theme.category(marks.indexOf(name)), marks.letterOf(name), theme, 16, 2));
    QObject::connect(
        menu->addAction(mark, provider.name), &QAction::triggered, document, [document, pin, name, actions] {
          NodePin chosen = pin;
          chosen.provider = name;
          document->draft().addPin(chosen);
          if (actions)
            emit actions->message(
                QObject::tr("What if: %1 on %2. Compare shows what it changes.").arg(pinText(chosen), text(name)));
        });
  }
}

void addPinEntries(QMenu* menu, Document* document, const NodeTarget& target, const Theme& theme,
                   PanelActions* actions) {
  const NodeReport* node = optimizedNode(*document, target);
  if (!node) return;
  const std::string operatorName = node->domain.empty() ? node->opType.string() : node->domain + ":" + node->opType;
  if (!node->name.empty())
    addProviderEntries(subMenu(menu, QObject::tr("Pin this %1 to").arg(text(node->opType))), document,
                       {NodePin::Kind::kNode, node->name, {}}, theme, actions);
  addProviderEntries(subMenu(menu, QObject::tr("Pin all %1 to").arg(text(operatorName))), document,
                     {NodePin::Kind::kOperator, operatorName, {}}, theme, actions);
  std::string scope = node->name;
  for (int depth = 0; depth < kMostScopes; ++depth) {
    const size_t slash = scope.rfind('/');
    if (slash == std::string::npos || slash == 0) break;
    scope.resize(slash);
    addProviderEntries(subMenu(menu, QObject::tr("Pin everything in %1 to").arg(text(scope))), document,
                       {NodePin::Kind::kScope, scope, {}}, theme, actions);
  }
}

void addScopePin(QMenu* menu, Document* document, const std::vector<std::string>& names, const Theme& theme,
                 PanelActions* actions) {
  if (names.empty()) return;
  // What all names begin with, up to a slash.
  std::string scope =
      names.front().substr(0, names.front().rfind('/') == std::string::npos ? 0 : names.front().rfind('/'));
  const auto isInside = [&](const std::string& name) {
    return name.size() > scope.size() && name.starts_with(scope) && name[scope.size()] == '/';
  };
  while (!scope.empty() && !std::all_of(names.begin(), names.end(), isInside))
    scope.resize(scope.rfind('/') == std::string::npos ? 0 : scope.rfind('/'));
  if (!scope.empty())
    addProviderEntries(subMenu(menu, QObject::tr("Pin everything in %1 to").arg(text(scope))), document,
                       {NodePin::Kind::kScope, scope, {}}, theme, actions);
}

}  // namespace cutaway::ui
