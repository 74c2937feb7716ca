// Refused operators written with others that compute the same.
//
// The standard itself defines many operators by a function of simpler ones; that definition is always tried. The table
// below adds forms that it lacks or that compilers like better. A form is data: a function in the text notation, with
// TYPE for the element type of the first input. Numerically they may differ in the last bits, or by what `cost` says;
// the proof measures it.

#include <algorithm>
#include <array>

#include "engine/graph/text.h"
#include "engine/schema/schema.h"
#include "engine/study/cure/workpiece.h"

namespace cutaway::study {
namespace {

struct Form {
  std::string_view opType;
  std::string_view title;
  std::string_view body;         // (inputs) => (outputs) { nodes }
  size_t rank = 0;               // of the first input; 0: any
  std::string_view attribute{};  // this attribute is `value` (by itself or as the schema's default); empty: any
  int64_t value = 0;
  int64_t firstOpset = 1, lastOpset = INT64_MAX;
  bool floatOnly = false;  // it has constants that are float, from attributes
  std::string_view cost{};
};

// Erf: M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions", 1964, formula 7.1.26.
constexpr std::array kForms = {
    Form{.opType = "HardSwish",
         .title = "x * HardSigmoid(x)",
         .body = "(unknown x) => (unknown y) { h = HardSigmoid <alpha = 0.16666667, beta = 0.5> (x)  y = Mul (x, h) }"},
    Form{.opType = "HardSwish",
         .title = "x * Clip(x + 3, 0, 6) / 6",
         .body = "(unknown x) => (unknown y) <TYPE c3 = {3}, TYPE c0 = {0}, TYPE c6 = {6}, TYPE k = {0.16666667}> "
                 "{ a = Add (x, c3)  b = Clip (a, c0, c6)  c = Mul (x, b)  y = Mul (c, k) }",
         .firstOpset = 11},
    Form{.opType = "HardSigmoid",
         .title = "Clip(alpha * x + beta, 0, 1)",
         .body = "(unknown x) => (unknown y) <float c0 = {0}, float c1 = {1}> "
                 "{ a = Constant <value_float = @alpha> ()  b = Constant <value_float = @beta> ()  m = Mul (x, a)  "
                 "s = Add (m, b)  y = Clip (s, c0, c1) }",
         .firstOpset = 12,
         .floatOnly = true},
    Form{.opType = "Mish",
         .title = "x * Tanh(Softplus(x))",
         .body = "(unknown x) => (unknown y) { s = Softplus (x)  t = Tanh (s)  y = Mul (x, t) }"},
    Form{.opType = "Softplus",
         .title = "Max(x, 0) + Log(1 + Exp(-Abs(x)))",
         .body =
             "(unknown x) => (unknown y) <TYPE c1 = {1}> "
             "{ r = Relu (x)  a = Abs (x)  n = Neg (a)  e = Exp (n)  p = Add (e, c1)  l = Log (p)  y = Add (r, l) }"},
    Form{.opType = "Softsign",
         .title = "x / (1 + Abs(x))",
         .body = "(unknown x) => (unknown y) <TYPE c1 = {1}> { a = Abs (x)  p = Add (a, c1)  y = Div (x, p) }"},
    Form{.opType = "Erf",
         .title = "a polynomial of 1 / (1 + p |x|) times Exp(-x * x)",
         .body = "(unknown x) => (unknown y) <TYPE c1 = {1}, TYPE p = {0.3275911}, TYPE a1 = {0.254829592}, TYPE a2 = "
                 "{-0.284496736}, TYPE a3 = {1.421413741}, TYPE a4 = {-1.453152027}, TYPE a5 = {1.061405429}> "
                 "{ a = Abs (x)  pa = Mul (a, p)  d = Add (pa, c1)  t = Div (c1, d)  "
                 "h5 = Mul (t, a5)  h4 = Add (h5, a4)  g4 = Mul (h4, t)  h3 = Add (g4, a3)  g3 = Mul (h3, t)  "
                 "h2 = Add (g3, a2)  g2 = Mul (h2, t)  h1 = Add (g2, a1)  g1 = Mul (h1, t)  "
                 "q = Mul (a, a)  n = Neg (q)  e = Exp (n)  f = Mul (g1, e)  r = Sub (c1, f)  s = Sign (x)  y = Mul "
                 "(r, s) }",
         .firstOpset = 9,
         .cost = "its error is below 2e-7, and it is many small nodes"},
    Form{.opType = "Clip",
         .title = "Min(Max(x, low), high)",
         .body = "(unknown x, unknown low, unknown high) => (unknown y) { a = Max (x, low)  y = Min (a, high) }",
         .firstOpset = 12},
    Form{.opType = "Reciprocal",
         .title = "1 / x",
         .body = "(unknown x) => (unknown y) <TYPE c1 = {1}> { y = Div (c1, x) }"},
    Form{.opType = "Neg",
         .title = "x * -1",
         .body = "(unknown x) => (unknown y) <TYPE m1 = {-1}> { y = Mul (x, m1) }",
         .firstOpset = 7},
    Form{.opType = "Abs", .title = "Max(x, -x)", .body = "(unknown x) => (unknown y) { n = Neg (x)  y = Max (x, n) }"},
    Form{.opType = "Less",
         .title = "Greater(b, a)",
         .body = "(unknown a, unknown b) => (unknown y) { y = Greater (b, a) }"},
    Form{.opType = "Greater",
         .title = "Less(b, a)",
         .body = "(unknown a, unknown b) => (unknown y) { y = Less (b, a) }"},
    Form{.opType = "PRelu",
         .title = "Relu(x) - slope * Relu(-x)",
         .body = "(unknown x, unknown slope) => (unknown y) "
                 "{ p = Relu (x)  m = Neg (x)  q = Relu (m)  s = Mul (slope, q)  y = Sub (p, s) }",
         .firstOpset = 7},
    Form{.opType = "GlobalAveragePool",
         .title = "ReduceMean over height and width",
         .body = "(unknown x) => (unknown y) { y = ReduceMean <axes = [2, 3], keepdims = 1> (x) }",
         .rank = 4,
         .lastOpset = 17},
    Form{.opType = "GlobalAveragePool",
         .title = "ReduceMean over height and width",
         .body = "(unknown x) => (unknown y) <int64[2] axes = {2, 3}> { y = ReduceMean <keepdims = 1> (x, axes) }",
         .rank = 4,
         .firstOpset = 18},
    Form{.opType = "GlobalMaxPool",
         .title = "ReduceMax over height and width",
         .body = "(unknown x) => (unknown y) { y = ReduceMax <axes = [2, 3], keepdims = 1> (x) }",
         .rank = 4,
         .lastOpset = 17},
    Form{.opType = "GlobalMaxPool",
         .title = "ReduceMax over height and width",
         .body = "(unknown x) => (unknown y) <int64[2] axes = {2, 3}> { y = ReduceMax <keepdims = 1> (x, axes) }",
         .rank = 4,
         .firstOpset = 18},
    Form{.opType = "MatMul",
         .title = "Gemm",
         .body = "(unknown a, unknown b) => (unknown y) { y = Gemm (a, b) }",
         .rank = 2,
         .firstOpset = 11},
    Form{.opType = "BatchNormalization",
         .title = "(x - mean) * scale / Sqrt(var + epsilon) + bias",
         .body = "(unknown x, unknown scale, unknown bias, unknown mean, unknown var) => (unknown y) "
                 "<int64[3] column = {-1, 1, 1}> "
                 "{ epsilon = Constant <value_float = @epsilon> ()  ve = Add (var, epsilon)  s = Sqrt (ve)  "
                 "k = Div (scale, s)  kc = Reshape (k, column)  mc = Reshape (mean, column)  "
                 "bc = Reshape (bias, column)  d = Sub (x, mc)  m = Mul (d, kc)  y = Add (m, bc) }",
         .rank = 4,
         .firstOpset = 12,
         .floatOnly = true,
         .cost = "more nodes"},
};

std::string typedText(std::string_view body, std::string_view type) {
  std::string text = fmt::format("form {}", body);
  constexpr std::string_view kWord = "TYPE";
  for (size_t at = text.find(kWord); at != std::string::npos; at = text.find(kWord, at))
    text.replace(at, kWord.size(), type);
  return text;
}

int64_t opsetOf(const CureContext& context, const Node& node) {
  return node.opsetVersion > 0 ? node.opsetVersion : importedVersion(context.typed.opsets, node.domain);
}

bool fits(const CureContext& context, const Form& form, NodeId id) {
  const Node& node = context.node(id);
  const int64_t opset = opsetOf(context, node);
  if (!node.domain.empty() || node.opType != form.opType || opset < form.firstOpset || opset > form.lastOpset)
    return false;
  if (node.inputs.empty() || !node.inputs.front().valid()) return false;
  const ValueType& type = context.graph().value(node.inputs.front()).type;
  if (!type.isTensor() || (form.floatOnly && type.element != ElementType::kFloat)) return false;
  if (form.rank > 0 && (!type.shape || type.shape->rank() != form.rank)) return false;
  // Every output that the form makes is all that the node may have, and an optional input that is absent has no form.
  if (node.outputs.size() != 1) return false;
  const auto formals = static_cast<size_t>(std::ranges::count(form.body.substr(0, form.body.find("=>")), ',')) + 1;
  return node.inputs.size() == formals && std::ranges::all_of(node.inputs, [](ValueId input) { return input.valid(); });
}

Result<Function> functionOf(const CureContext& context, const Form& form, NodeId id) {
  const Node& node = context.node(id);
  const ElementType element = context.graph().value(node.inputs.front()).type.element;
  CUTAWAY_TRY(Model parsed, parseModelText(typedText(form.body, elementTypeName(element))));
  Function function;
  function.name = form.opType;
  function.opsets = context.typed.opsets;
  function.body = std::move(parsed.graph);
  if (const OperatorSchema* schema = findSchema(node.opType, node.domain, opsetOf(context, node)))
    for (const SchemaAttribute& attribute : schema->attributes)
      if (attribute.defaultValue) function.attributeDefaults.push_back(*attribute.defaultValue);
  return function;
}

using FunctionOf = std::function<Result<Function>(NodeId)>;

Result<Model> replaceAll(const CureContext& context, const std::vector<NodeId>& nodes, const FunctionOf& functionOf) {
  Workpiece piece(context);
  for (const NodeId id : nodes) {
    const NodeId here = piece.find(context.graph(), id);
    if (!here.valid()) continue;
    CUTAWAY_TRY(const Function function, functionOf(id));
    CUTAWAY_CHECK(inlineFunction(piece.graph(), here, function));
  }
  return piece.finish();
}

Result<Function> standardForm(const CureContext& context, NodeId id) {
  CUTAWAY_TRY(std::optional<Function> function,
              schemaFunction(context.graph(), id, opsetOf(context, context.node(id))));
  if (!function)
    return fail(ErrorCode::kNotImplemented, "the standard defines {} by no function for these types",
                operatorName(context.node(id)));
  return *std::move(function);
}

std::vector<CureChange> propose(const CureContext& context) {
  std::vector<CureChange> changes;
  for (const auto& [opType, nodes] : context.refusedByOperator()) {
    const std::string counted = countedNodes(context.graph(), nodes);
    const Node& first = context.node(nodes.front());
    for (const Form& form : kForms) {
      std::vector<NodeId> chosen;
      std::ranges::copy_if(nodes, std::back_inserter(chosen), [&](NodeId id) { return fits(context, form, id); });
      if (chosen.empty()) continue;
      changes.push_back({.title = fmt::format("{} as {}", countedNodes(context.graph(), chosen), form.title),
                         .consequence = std::string(form.cost),
                         .parts = static_cast<int64_t>(chosen.size()),
                         .apply = [&context, &form, chosen] {
                           return replaceAll(context, chosen, [&](NodeId id) { return functionOf(context, form, id); });
                         }});
    }
    const OperatorSchema* schema = findSchema(first.opType, first.domain, opsetOf(context, first));
    if (schema == nullptr || !schema->hasFunctionBody) continue;
    changes.push_back({.title = fmt::format("{} as the standard defines it, by simpler operators", counted),
                       .parts = static_cast<int64_t>(nodes.size()),
                       .apply = [&context, nodes] {
                         return replaceAll(context, nodes, [&](NodeId id) { return standardForm(context, id); });
                       }});
  }
  return changes;
}

constexpr CureVariant kVariant{.name = "equivalent form",
                               .purpose = "writes refused operators with others that compute the same",
                               .propose = propose};

}  // namespace

const CureVariant& cure_equivalent_forms() {
  return kVariant;
}

}  // namespace cutaway::study
