#include "providers/cuda/chain/chain_source.h"

#include <cmath>

#include "providers/cuda/functors/element_pack.h"
#include "providers/cuda/functors/integer_math.h"

namespace cutaway::cuda {

extern const char* const kChainPrelude;  // chain_prelude.cpp, made of the shared headers

namespace {

// FNV-1a, 64 bits (Fowler, Noll, Vo): a name, not a proof of equality; artifacts are found by the whole source.
uint64_t hashOf(std::string_view text) {
  uint64_t hash = 14695981039346656037ULL;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

// The type in memory, and the type of the register.
const char* storedType(ElementType type) {
  switch (type) {
    case ElementType::kFloat:
      return "float";
    case ElementType::kUint8:
      return "uint8_t";
    case ElementType::kInt8:
      return "int8_t";
    case ElementType::kInt32:
      return "int32_t";
    case ElementType::kInt64:
      return "int64_t";
    case ElementType::kBool:
      return "uint8_t";
    case ElementType::kFloat16:
      return "Half";
    case ElementType::kDouble:
      return "double";
    default:
      return "Brain";
  }
}
const char* heldType(ElementType type) {
  return chainIsFloat(type) ? "float" : type == ElementType::kBool ? "bool" : storedType(type);
}
int bytesOf(ElementType type) {
  return bitsOf(type) / 8;
}

// Hexadecimal, so that nothing is lost; infinities and NaN have no literal.
std::string literal(double value, std::string_view type) {
  if (std::isnan(value)) return fmt::format("{}(floatOfBits(0x7FC00000u))", type);
  if (std::isinf(value)) return fmt::format("{}(floatOfBits({}u))", type, value < 0 ? "0xFF800000" : "0x7F800000");
  return fmt::format("{}({:a})", type, value);
}

bool isIntegerType(ElementType type) {
  return !chainIsFloat(type) && type != ElementType::kDouble;
}

std::string expression(const ChainCode& s) {
  const std::string held = heldType(s.type), a = fmt::format("v{}", s.a), b = fmt::format("v{}", s.b);
  const std::string name = nameOf(s.op);
  switch (s.op) {
    case ChainOp::kConstant:
      return isIntegerType(s.type)
                 ? fmt::format("static_cast<{}>({}ll + {})", held, s.whole == INT64_MIN ? s.whole + 1 : s.whole,
                               s.whole == INT64_MIN ? -1 : 0)
                 : literal(s.first, held);
    case ChainOp::kCast: {
      const std::string from = heldType(s.from);
      if (s.type == ElementType::kFloat16 || s.type == ElementType::kBfloat16)
        return fmt::format("load(converted<{}, {}>({}))", from, storedType(s.type), a);
      return fmt::format("converted<{}, {}>({})", from == "bool" ? "uint8_t" : from, held, a);
    }
    case ChainOp::kWhere:
      return fmt::format("{} ? {} : v{}", a, b, s.c);
    case ChainOp::kNot:
      return "!" + a;
    case ChainOp::kAnd:
      return a + " && " + b;
    case ChainOp::kOr:
      return a + " || " + b;
    case ChainOp::kXor:
      return a + " != " + b;
    case ChainOp::kEqual:
      return a + " == " + b;
    case ChainOp::kLess:
      return a + " < " + b;
    case ChainOp::kLessOrEqual:
      return a + " <= " + b;
    case ChainOp::kGreater:
      return a + " > " + b;
    case ChainOp::kGreaterOrEqual:
      return a + " >= " + b;
    case ChainOp::kIsNaN:
      return a + " != " + a;
    case ChainOp::kIdentity:
      return a;
    default:
      break;
  }
  if (isIntegerType(s.type)) {
    if (s.op == ChainOp::kNeg)
      return fmt::format("element::integerPair<{0}>(element::IntegerPair::kSub, {0}(0), {1})", held, a);
    return fmt::format("element::integerPair<{}>(element::IntegerPair::k{}, {}, {})", held, name, a, b);
  }
  if (operandsOf(s.op) == 2) return fmt::format("element::{}::apply<{}>({}, {})", name, held, a, b);
  return fmt::format("element::{}::apply<{}>({}, {}, {})", name, held, a, literal(s.first, held),
                     literal(s.second, held));
}

// Which steps value `wanted` (or any output) needs, without going behind row values, which are there already.
uint64_t neededFor(const ChainProgram& program, uint64_t wanted, uint64_t rows) {
  uint64_t needed = wanted;
  for (size_t i = program.steps.size(); i-- > 0;) {
    if ((needed >> i & 1) == 0 || (rows >> i & 1) != 0) continue;
    const ChainCode& s = program.steps[i];
    const uint8_t operands[] = {s.a, s.b, s.c};
    for (int o = 0; o < operandsOf(s.op); ++o)
      needed |= uint64_t{1} << operands[o];
  }
  return needed & ~rows;
}

std::string readOf(const ChainCode& s, std::string_view value) {
  return s.type == ElementType::kBool ? fmt::format("{} != 0", value) : fmt::format("load({})", value);
}
std::string storeOf(const ChainCode& s, int step) {
  return s.type == ElementType::kBool ? fmt::format("static_cast<uint8_t>(v{})", step)
                                      : fmt::format("store<{}>(v{})", storedType(s.type), step);
}

// Statements for the needed steps. input: how an input's element is written, by its number.
template <typename InputText>
void writeSteps(std::string& to, const ChainProgram& program, uint64_t needed, std::string_view indent,
                InputText inputText) {
  for (size_t i = 0; i < program.steps.size(); ++i) {
    if ((needed >> i & 1) == 0) continue;
    const ChainCode& s = program.steps[i];
    to += fmt::format("{}const {} v{} = {};\n", indent, heldType(s.type), i,
                      s.op == ChainOp::kInput ? readOf(s, inputText(s)) : expression(s));
  }
}

uint64_t outputMask(const ChainProgram& program) {
  uint64_t mask = 0;
  for (const int output : program.outputs)
    mask |= uint64_t{1} << output;
  return mask;
}

const ChainCode& outputStep(const ChainProgram& program, size_t o) {
  return program.steps[static_cast<size_t>(program.outputs[o])];
}

void writeBody(std::string& to, const ChainProgram& program) {
  to += "__device__ __forceinline__ void chainBody(";
  std::string separator;
  for (int i = 0; i < program.inputs; ++i, separator = ", ")
    to += fmt::format("{}const {} x{}", separator, storedType(program.inputType(i)), i);
  for (size_t o = 0; o < program.outputs.size(); ++o)
    to += fmt::format(", {}& y{}", storedType(outputStep(program, o).type), o);
  to += ") {\n";
  writeSteps(to, program, neededFor(program, outputMask(program), 0), "  ",
             [](const ChainCode& s) { return fmt::format("x{}", s.a); });
  for (size_t o = 0; o < program.outputs.size(); ++o)
    to += fmt::format("  y{} = {};\n", o, storeOf(outputStep(program, o), program.outputs[o]));
  to += "}\n";
}

void writeFlat(std::string& to, const ChainProgram& program, const std::string& name, int width) {
  writeBody(to, program);
  to += fmt::format(
      "extern \"C\" __global__ void __launch_bounds__(256) {}(const __grid_constant__ ChainArguments p) {{\n", name);
  to += "  const int64_t stride = static_cast<int64_t>(gridDim.x) * blockDim.x;\n";
  to +=
      "  for (int64_t index = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; index < p.indexes; index += "
      "stride) {\n";
  to += fmt::format(
      "    int64_t at[{0}];\n    chainOffsets<{0}>(p, index, at);\n    const int64_t first = index * p.width;\n",
      program.inputs);
  const auto type = [&](int i) { return storedType(program.inputType(i)); };
  std::string packArguments, singleArguments, separator;
  for (int i = 0; i < program.inputs; ++i, separator = ", ") {
    packArguments += fmt::format("{}x{}[k]", separator, i);
    singleArguments +=
        fmt::format("{0}static_cast<const {2}*>(p.from[{1}])[at[{1}] + k * p.step[{1}]]", separator, i, type(i));
  }
  for (size_t o = 0; o < program.outputs.size(); ++o) {
    packArguments += fmt::format(", y{}.at[k]", o);
    singleArguments +=
        fmt::format(", static_cast<{}*>(p.to[{}])[first + k]", storedType(outputStep(program, o).type), o);
  }
  if (width > 1) {
    to += fmt::format("    if (p.width == {0} && first + {0} <= p.count) {{\n", width);
    for (int i = 0; i < program.inputs; ++i)
      to += fmt::format("      {0} x{1}[{2}];\n      readPack(p.from[{1}], at[{1}], p.step[{1}], x{1});\n", type(i), i,
                        width);
    for (size_t o = 0; o < program.outputs.size(); ++o)
      to += fmt::format("      ElementPack<{}, {}> y{};\n", storedType(outputStep(program, o).type), width, o);
    to += fmt::format("#pragma unroll\n      for (int k = 0; k < {}; ++k) chainBody({});\n", width, packArguments);
    for (size_t o = 0; o < program.outputs.size(); ++o) {
      to +=
          fmt::format("      *reinterpret_cast<ElementPack<{0}, {1}>*>(static_cast<{0}*>(p.to[{2}]) + first) = y{2};\n",
                      storedType(outputStep(program, o).type), width, o);
    }
    to += "      continue;\n    }\n";
  }
  to += fmt::format(
      "    const int64_t left = p.count - first < p.width ? p.count - first : p.width;\n    for (int64_t k = 0; k < "
      "left; ++k) chainBody({});\n  }}\n}}\n",
      singleArguments);
}

std::string rowElement(const ChainProgram& program, const ChainCode& s) {
  return fmt::format("static_cast<const {}*>(p.from[{}])[at[{}] + k * p.step[{}]]", storedType(program.inputType(s.a)),
                     s.a, s.a, s.a);
}

// A row value: a walk over the row, or arithmetic on earlier ones.
void writeRowValue(std::string& to, const ChainProgram& program, size_t i, uint64_t rows) {
  const ChainCode& s = program.steps[i];
  if (!isRowReduction(s.op)) {
    uint64_t constants = 0;  // operands that are no row values are constants
    const uint8_t operands[] = {s.a, s.b, s.c};
    for (int o = 0; o < operandsOf(s.op); ++o)
      constants |= uint64_t{1} << operands[o];
    to += fmt::format("    {} v{};\n    {{\n", heldType(s.type), i);
    writeSteps(to, program, neededFor(program, constants & ~rows, rows), "      ",
               [](const ChainCode&) { return std::string(); });
    to += fmt::format("      v{} = {};\n    }}\n", i, expression(s));
    return;
  }
  const bool maximum = s.op == ChainOp::kRowMax;
  to += fmt::format("    float v{} = {};\n    for (int64_t k = threadIdx.x; k < p.rowLength; k += blockDim.x) {{\n", i,
                    maximum ? literal(-HUGE_VAL, "float") : "0.0f");
  writeSteps(to, program, neededFor(program, uint64_t{1} << s.a, rows), "      ",
             [&](const ChainCode& each) { return rowElement(program, each); });
  to += fmt::format("      v{0} = {1}::apply(v{0}, v{2});\n    }}\n    v{0} = rowReduce<{1}>(v{0});\n", i,
                    maximum ? "RowMaximum" : "RowAdd", s.a);
  if (s.op == ChainOp::kRowMean) to += fmt::format("    v{0} = v{0} / static_cast<float>(p.rowLength);\n", i);
}

void writeRows(std::string& to, const ChainProgram& program, const std::string& name) {
  const uint64_t rows = program.rowValues();
  to += fmt::format(
      "extern \"C\" __global__ void __launch_bounds__(1024) {}(const __grid_constant__ ChainArguments p) {{\n", name);
  to += fmt::format(
      "  for (int64_t row = blockIdx.x; row < p.indexes; row += gridDim.x) {{\n    int64_t at[{0}];\n    "
      "chainOffsets<{0}>(p, row, at);\n",
      program.inputs);
  for (size_t i = 0; i < program.steps.size(); ++i) {
    if ((rows >> i & 1) != 0) writeRowValue(to, program, i, rows);
  }
  uint64_t elements = outputMask(program) & ~rows;
  if (elements != 0) {
    to += "    for (int64_t k = threadIdx.x; k < p.rowLength; k += blockDim.x) {\n";
    writeSteps(to, program, neededFor(program, elements, rows), "      ",
               [&](const ChainCode& each) { return rowElement(program, each); });
    for (size_t o = 0; o < program.outputs.size(); ++o) {
      if ((rows >> program.outputs[o] & 1) == 0)
        to += fmt::format("      static_cast<{}*>(p.to[{}])[row * p.rowLength + k] = {};\n",
                          storedType(outputStep(program, o).type), o,
                          storeOf(outputStep(program, o), program.outputs[o]));
    }
    to += "    }\n";
  }
  // A row's value may lie over an input of one value a row, which slower threads still read.
  if ((outputMask(program) & rows) != 0) to += "    __syncthreads();\n";
  for (size_t o = 0; o < program.outputs.size(); ++o) {
    if ((rows >> program.outputs[o] & 1) != 0)
      to +=
          fmt::format("    if (threadIdx.x == 0) static_cast<{}*>(p.to[{}])[row] = {};\n",
                      storedType(outputStep(program, o).type), o, storeOf(outputStep(program, o), program.outputs[o]));
  }
  to += "  }\n}\n";
}

}  // namespace

int chainWidth(const ChainProgram& program) {
  int widest = 1;
  for (int i = 0; i < program.inputs; ++i)
    widest = std::max(widest, bytesOf(program.inputType(i)));
  for (size_t o = 0; o < program.outputs.size(); ++o)
    widest = std::max(widest, bytesOf(outputStep(program, o).type));
  return widest <= 2 ? 8 : 16 / widest;
}

ChainSource chainSource(const ChainProgram& program) {
  const std::string text = program.text();
  ChainSource source{.name = fmt::format("chain_{:016x}", hashOf(text)),
                     .text = {},
                     .width = program.hasRows() ? 1 : chainWidth(program)};
  source.text = kChainPrelude;
  source.text += "\nnamespace cutaway::cuda {\n";
  if (program.hasRows())
    writeRows(source.text, program, source.name);
  else
    writeFlat(source.text, program, source.name, source.width);
  source.text += "}\n";
  return source;
}

}  // namespace cutaway::cuda
