// The draft of a configuration, kept as what differs from the session's.
#include "ui/document/what_if_draft.h"

#include <QStringList>
#include <algorithm>

#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

constexpr const char* kLastProvider = "cpu";

bool isLastProvider(const DraftProvider& provider) { return provider.name == QLatin1String(kLastProvider); }

std::vector<DraftProvider> draftProviders(const std::vector<std::string>& specs) {
  std::vector<DraftProvider> providers;
  for (const std::string& spec : specs) providers.push_back(draftProvider(spec));
  const auto last = std::find_if(providers.begin(), providers.end(), isLastProvider);
  if (last == providers.end()) {
    providers.push_back({QString::fromLatin1(kLastProvider), {}, true});
  } else {
    std::rotate(last, last + 1, providers.end());
  }
  return providers;
}

QStringList enabledNames(const std::vector<DraftProvider>& providers) {
  QStringList names;
  for (const DraftProvider& provider : providers)
    if (provider.enabled) names << text(specOf(provider));
  return names;
}

}  // namespace

DraftProvider draftProvider(const std::string& spec) {
  const QString whole = text(spec).trimmed();
  const qsizetype open = whole.indexOf(QLatin1Char('{'));
  if (open < 0 || !whole.endsWith(QLatin1Char('}'))) return {whole, {}, true};
  return {whole.left(open), whole.mid(open + 1, whole.size() - open - 2), true};
}

std::string specOf(const DraftProvider& provider) {
  const QString options = provider.options.trimmed();
  return (options.isEmpty() ? provider.name : provider.name + QLatin1Char('{') + options + QLatin1Char('}')).toStdString();
}

QString pinText(const NodePin& pin) {
  const QString where = text(pin.pattern);
  switch (pin.kind) {
    case NodePin::Kind::kNode:
      return QObject::tr("node %1").arg(where);
    case NodePin::Kind::kScope:
      return QObject::tr("everything in %1").arg(where);
    case NodePin::Kind::kOperator:
      return QObject::tr("all %1").arg(where);
  }
  return where;
}

void WhatIfDraft::start(const SessionOptions& options) {
  m_start = {draftProviders(options.providers), options.pins, options.minimumGroupNodes};
  m_extras = {};
  m_now = m_start;
  emit changed();
}

void WhatIfDraft::revert() {
  m_extras = {};
  m_now = m_start;
  emit changed();
}

void WhatIfDraft::load(const Configuration& configuration) {
  State next = m_now;
  if (configuration.providers) next.providers = draftProviders(*configuration.providers);
  for (DraftProvider& provider : next.providers) {
    const auto options = configuration.providerOptions.find(provider.name.toStdString());
    if (options == configuration.providerOptions.end()) continue;
    QStringList words;
    for (const auto& [key, value] : options->second) words << text(key) + QLatin1Char('=') + text(value);
    provider.options = words.join(QLatin1Char(','));
  }
  if (configuration.pins) next.pins = *configuration.pins;
  if (configuration.minimumGroupNodes) next.minimumGroupNodes = *configuration.minimumGroupNodes;
  m_extras = configuration;
  m_extras.providers.reset();
  m_extras.providerOptions.clear();
  m_extras.pins.reset();
  m_extras.minimumGroupNodes.reset();
  m_now = std::move(next);
  emit changed();
}

bool WhatIfDraft::hasExtras() const {
  return m_extras.optimizationLevel || m_extras.precision || m_extras.order || m_extras.threads || !m_extras.keys.empty() || !m_extras.dims.empty();
}

void WhatIfDraft::change(State next) {
  if (next == m_now) return;
  m_now = std::move(next);
  emit changed();
}

// cpu takes what nobody else took: it is always there and always asked last.
void WhatIfDraft::setProviders(std::vector<DraftProvider> providers) {
  const auto last = std::find_if(providers.begin(), providers.end(), isLastProvider);
  if (last != providers.end()) std::rotate(last, last + 1, providers.end());
  if (last != providers.end()) providers.back().enabled = true;
  State next = m_now;
  next.providers = std::move(providers);
  change(std::move(next));
}

void WhatIfDraft::move(int from, int to) {
  std::vector<DraftProvider> providers = m_now.providers;
  const int count = static_cast<int>(providers.size());
  if (from < 0 || to < 0 || from >= count || to >= count) return;
  const DraftProvider moved = providers[static_cast<size_t>(from)];
  providers.erase(providers.begin() + from);
  providers.insert(providers.begin() + to, moved);
  setProviders(std::move(providers));
}

void WhatIfDraft::add(const QString& name) {
  std::vector<DraftProvider> providers = m_now.providers;
  const auto same = std::find_if(providers.begin(), providers.end(), [&](const DraftProvider& provider) { return provider.name == name; });
  if (same != providers.end()) {
    same->enabled = true;
  } else {
    providers.push_back({name, {}, true});
  }
  setProviders(std::move(providers));
}

void WhatIfDraft::remove(int index) {
  std::vector<DraftProvider> providers = m_now.providers;
  if (index < 0 || index >= static_cast<int>(providers.size()) || isLastProvider(providers[static_cast<size_t>(index)])) return;
  providers.erase(providers.begin() + index);
  setProviders(std::move(providers));
}

void WhatIfDraft::addPin(const NodePin& pin) {
  State next = m_now;
  std::erase_if(next.pins, [&](const NodePin& other) { return other.kind == pin.kind && other.pattern == pin.pattern; });
  next.pins.push_back(pin);
  change(std::move(next));
}

void WhatIfDraft::removePin(int index) {
  State next = m_now;
  if (index < 0 || index >= static_cast<int>(next.pins.size())) return;
  next.pins.erase(next.pins.begin() + index);
  change(std::move(next));
}

void WhatIfDraft::setMinimumGroupNodes(int64_t count) {
  State next = m_now;
  next.minimumGroupNodes = count;
  change(std::move(next));
}

QStringList WhatIfDraft::changes() const {
  QStringList words;
  const QStringList before = enabledNames(m_start.providers), now = enabledNames(m_now.providers);
  if (before != now) words << tr("asks %1").arg(now.join(QStringLiteral(" \u2192 ")));
  for (const NodePin& pin : m_now.pins)
    if (std::find(m_start.pins.begin(), m_start.pins.end(), pin) == m_start.pins.end()) words << tr("%1 on %2").arg(pinText(pin), text(pin.provider));
  for (const NodePin& pin : m_start.pins)
    if (std::find(m_now.pins.begin(), m_now.pins.end(), pin) == m_now.pins.end()) words << tr("%1 free again").arg(pinText(pin));
  if (m_now.minimumGroupNodes != m_start.minimumGroupNodes) words << tr("groups of at least %1").arg(m_now.minimumGroupNodes);
  if (hasExtras()) words << tr("settings of the file that was loaded");
  return words;
}

Configuration WhatIfDraft::configuration() const {
  Configuration configuration = m_extras;
  std::vector<std::string> providers;
  for (const DraftProvider& provider : m_now.providers)
    if (provider.enabled) providers.push_back(specOf(provider));
  configuration.providers = std::move(providers);
  configuration.pins = m_now.pins;
  configuration.minimumGroupNodes = m_now.minimumGroupNodes;
  return configuration;
}

}  // namespace cutaway::ui
