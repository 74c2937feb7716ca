// A plug-in: the operator com.example.Scale, a pass that makes one of two, and an overlay.
#include <cutaway/plugin.h>

namespace {

using namespace cutaway::plugin;

constexpr int32_t kFloat = 1;

float factorOf(const Node& node) {
  float factor = 1;
  node.attribute("factor", &factor);
  return factor;
}

const char* inferScale(Inference& inference) {
  const int32_t type = inference.inputType(0);
  if (type != 0 && type != kFloat) return "Scale takes float";
  inference.setOutputLike(0, 0);
  return nullptr;
}

const char* runScale(Call& call) {
  const Tensor* const x = call.input(0);
  if (x == nullptr || x->elementType != kFloat) return "Scale takes float";
  auto* const y = static_cast<float*>(call.output(0, kFloat, x->dims, x->rank));
  if (y == nullptr) return nullptr;  // the program knows why
  const float factor = factorOf(call.node());
  const auto* const from = static_cast<const float*>(x->data);
  for (size_t i = 0; i < x->sizeBytes / sizeof(float); ++i)
    y[i] = factor * from[i];
  return nullptr;
}

bool isScale(const Node& node) {
  const auto same = [](const char* a, const char* b) {
    while (*a != '\0' && *a == *b) {
      ++a;
      ++b;
    }
    return *a == *b;
  };
  return same(node.opType(), "Scale") && same(node.domain(), "com.example");
}

// Scale(Scale(x)) is Scale(x) with the product of the factors.
bool joinScales(const Graph& graph, size_t index, Patch& patch) {
  const Node& second = graph.node(index);
  if (!isScale(second) || graph.readersOf(second.input(0)) != 1 || graph.isOutput(second.input(0))) return false;
  const size_t before = graph.producerOf(second.input(0));
  if (before == Graph::kNoNode || !isScale(graph.node(before))) return false;
  const Node& first = graph.node(before);
  const char* const input = first.input(0);
  const char* const output = second.output(0);
  patch.note("two scales are one");
  patch.remove(before);
  patch.remove(index);
  patch.add("com.example", "Scale", &input, 1, &output, 1);
  patch.attribute("factor", factorOf(first) * factorOf(second));
  return true;
}

// How many bytes come out for each that goes in.
double growth(const NodeFacts& node) {
  return node.inputBytes <= 0 || node.outputBytes < 0
             ? -1
             : static_cast<double>(node.outputBytes) / static_cast<double>(node.inputBytes);
}

constexpr Operator kOperators[] = {{.domain = "com.example",
                                    .name = "Scale",
                                    .documentation = "Multiplies every element by the attribute factor.",
                                    .infer = inferScale,
                                    .run = runScale}};
constexpr Pass kPasses[] = {
    {.name = "ScaleScaleFusion", .purpose = "makes one Scale of two", .level = 1, .match = joinScales}};
constexpr Overlay kOverlays[] = {{.id = "growth", .title = "Bytes out for each in", .amount = growth}};
constexpr Library kLibrary{.name = "example",
                           .version = "1",
                           .operators = kOperators,
                           .operatorCount = 1,
                           .passes = kPasses,
                           .passCount = 1,
                           .overlays = kOverlays,
                           .overlayCount = 1};

}  // namespace

extern "C" const cutaway::plugin::Library* cutaway_plugin(int interface) {
  return interface == kInterface ? &kLibrary : nullptr;
}
