#pragma once
// The configuration that the user is trying out: providers in asking order, pins, the smallest group. Panels and menus change it; Document compares and applies it.
//
// Thread rule: GUI thread.
// Example: draft.move(1, 0);  draft.addPin({NodePin::Kind::kOperator, "Resize", "cpu"});  document.compare(draft.configuration());

#include <QObject>
#include <QString>
#include <vector>

#include "engine/runtime/configuration.h"

namespace cutaway::ui {

struct DraftProvider {
  QString name;          // "openvino", "declared(TensorRT)"
  QString options;       // "device=CPU, precision=f32"
  bool enabled = true;
  bool operator==(const DraftProvider&) const = default;
};

class WhatIfDraft : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  // Begins anew with what the session has.
  void start(const SessionOptions& options);
  void revert();
  // Takes over what a configuration names; the rest stays.
  void load(const Configuration& configuration);

  const std::vector<DraftProvider>& providers() const { return m_now.providers; }
  const std::vector<NodePin>& pins() const { return m_now.pins; }
  int64_t minimumGroupNodes() const { return m_now.minimumGroupNodes; }
  bool isChanged() const { return !(m_now == m_start) || hasExtras(); }
  QStringList changes() const;  // what differs from the session, in words

  void setProviders(std::vector<DraftProvider> providers);
  void move(int from, int to);
  void add(const QString& name);
  void remove(int index);
  void addPin(const NodePin& pin);   // replaces a pin of the same nodes
  void removePin(int index);
  void setMinimumGroupNodes(int64_t count);

  Configuration configuration() const;

 signals:
  void changed();

 private:
  struct State {
    std::vector<DraftProvider> providers;
    std::vector<NodePin> pins;
    int64_t minimumGroupNodes = 1;
    bool operator==(const State&) const = default;
  };
  bool hasExtras() const;
  void change(State next);

  State m_start, m_now;
  Configuration m_extras;  // what a loaded configuration says beyond providers, pins and group size
};

// "declared(TensorRT){a=b}" in its parts, and back.
DraftProvider draftProvider(const std::string& spec);
std::string specOf(const DraftProvider& provider);
QString pinText(const NodePin& pin);  // "all Resize on cpu"

}  // namespace cutaway::ui
