#pragma once
// Layer assignment: groups of nodes given to devices, by an annotation that nodes bring along in the file or by parts
// of their names (onnxruntime/core/framework/resource_accountant.h and onnxruntime_session_options_config_keys.h).
//
// Settings: "gpu(encoder, =pooler); cpu(embed)". Patterns are prefixes of the annotation, with '=' the whole of it;
// prefixes are tried before whole ones, then from left to right. By name, patterns are parts of the node's name and the
// longest decides. Nodes in bodies have the annotation of the node around them unless they bring their own. Thread
// rule: as Reservations. Linear in nodes times patterns. Example:
//   CUTAWAY_TRY(LayerRules layers, readLayerRules(options, providers, kept, warnings));
//   layers.bind(model, options.layerOfOrigin, kept);      // again whenever graphs have changed

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/provider/execution_provider.h"
#include "engine/stages/partition/reservations.h"

namespace cutaway::partition {

struct LayerPattern {
  std::string device;
  std::string text;
  bool exact = false;
  int32_t rule = kNone;  // in Reservations; kNone: no provider of this session is such a device
};

class LayerRules {
 public:
  enum class By : uint8_t { kAnnotation, kName };

  // INVALID_ARGUMENT with key and place of the mistake: unbalanced brackets, empty patterns, a pattern twice, an
  // unknown device, '=' in names.
  static Result<std::vector<LayerPattern>> parse(std::string_view key, std::string_view text, By by);

  LayerRules() = default;
  LayerRules(std::vector<LayerPattern> patterns, By by) : m_patterns(std::move(patterns)), m_by(by) {}

  // nullptr: none fits.
  const LayerPattern* find(std::string_view annotationOrName) const;
  void bind(const Model& model, const std::map<int32_t, std::string>& annotations, Reservations& kept) const;

 private:
  void bindByAnnotation(const Model& model, const std::map<int32_t, std::string>& annotations,
                        Reservations& kept) const;

  std::vector<LayerPattern> m_patterns;
  By m_by = By::kAnnotation;
};

// byAnnotation, byName: values of session.layer_assignment_settings and session.name_based_layer_assignment, at most
// one of them set (INVALID_ARGUMENT otherwise).
Result<LayerRules> readLayerRules(const std::string& byAnnotation, const std::string& byName,
                                  std::span<const std::unique_ptr<ExecutionProvider>> providers, Reservations& kept,
                                  std::vector<std::string>& warnings);

}  // namespace cutaway::partition
