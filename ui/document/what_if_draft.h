#pragma once
// The configuration that the user is trying out: providers in order of priority, pins, the smallest group, how to plan.
// Panels and menus change it; Document compares and applies it.
//
// Thread rule: GUI thread.
// Example: draft.move(1, 0);  draft.addPin({NodePin::Kind::kOperator, "Resize", "cpu"});
// document.compare(draft.configuration());

#include <map>
#include <string>
#include <vector>

#include <QObject>
#include <QString>

#include "engine/session/configuration/configuration.h"

namespace cutaway::ui {

struct DraftProvider {
  QString name;     // "openvino", "declared(TensorRT)"
  QString options;  // "device=CPU, precision=f32"
  bool enabled = true;
  bool operator==(const DraftProvider&) const = default;
};

// How the model is to be planned and run.
struct DraftPlan {
  std::string order = "default";
  std::string rules = "cutaway";
  bool reuse = true;  // free buffers are taken over (session.enable_mem_reuse)
  bool inPlace = true;
  bool pattern = true;  // session.enable_mem_pattern
  std::string executor = "sequential";
  int workers = 0;                      // of the dataflow executor; 0: as many as pay
  std::map<std::string, int64_t> dims;  // values of symbols
  bool operator==(const DraftPlan&) const = default;
};

class WhatIfDraft : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  // Begins anew with what the session has. lastProvider: the one that takes what the others leave.
  void start(const session::SessionOptions& options, QString lastProvider);
  void revert();
  // Takes over what a configuration names; the rest stays.
  void load(const session::Configuration& configuration);

  const std::vector<DraftProvider>& providers() const { return m_now.providers; }
  const std::vector<NodePin>& pins() const { return m_now.pins; }
  int64_t minimumGroupNodes() const { return m_now.minimumGroupNodes; }
  const DraftPlan& plan() const { return m_now.plan; }
  const DraftPlan& presentPlan() const { return m_start.plan; }  // what the session has
  bool isChanged() const { return !(m_now == m_start) || hasExtras(); }
  QStringList changes() const;  // what differs from the session, in words

  void setProviders(std::vector<DraftProvider> providers);
  void move(int from, int to);
  void add(const QString& name);
  void remove(int index);
  void addPin(const NodePin& pin);  // replaces a pin of the same nodes
  void removePin(int index);
  void setMinimumGroupNodes(int64_t count);
  void setPlan(DraftPlan plan);

  session::Configuration configuration() const;

 signals:
  void changed();

 private:
  struct State {
    std::vector<DraftProvider> providers;
    std::vector<NodePin> pins;
    int64_t minimumGroupNodes = 1;
    DraftPlan plan;
    bool operator==(const State&) const = default;
  };
  bool hasExtras() const;
  void change(State next);

  State m_start, m_now;
  QString m_last;
  session::Configuration m_extras;  // what a loaded configuration says beyond all that
};

// "declared(TensorRT){a=b}" in its parts, and back.
DraftProvider draftProvider(const std::string& spec);
std::string specOf(const DraftProvider& provider);
QString pinText(const NodePin& pin);  // "all Resize on cpu"

}  // namespace cutaway::ui
