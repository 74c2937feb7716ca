#include "providers/cuda/chain/chain_program.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace cutaway::cuda {
namespace {

constexpr const char* kNames[] = {
#define CUTAWAY_NAME(name) #name,
    CUTAWAY_CHAIN_PLAIN(CUTAWAY_NAME) CUTAWAY_FLOAT_MATH(CUTAWAY_NAME) CUTAWAY_FLOAT_ACTIVATIONS(CUTAWAY_NAME)
        CUTAWAY_FLOAT_PAIRS(CUTAWAY_NAME)
#undef CUTAWAY_NAME
};
static_assert(std::size(kNames) == static_cast<size_t>(ChainOp::kCount));

std::vector<std::string_view> wordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const size_t end = std::min(line.find(' '), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

template <typename Number>
bool readNumber(std::string_view word, Number& number) {
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
  return code == std::errc() && end == word.data() + word.size();
}

bool readValue(std::string_view word, int& step) {
  return word.size() > 1 && word[0] == 'v' && readNumber(word.substr(1), step);
}

}  // namespace

int operandsOf(ChainOp op) {
  if (op == ChainOp::kInput || op == ChainOp::kConstant) return 0;
  if (op == ChainOp::kWhere) return 3;
  if (op >= ChainOp::kAnd && op <= ChainOp::kGreaterOrEqual) return 2;
  return op >= ChainOp::kAdd ? 2 : 1;
}
const char* nameOf(ChainOp op) {
  return op < ChainOp::kCount ? kNames[static_cast<size_t>(op)] : "?";
}
ChainOp chainOpOf(std::string_view name) {
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (name == kNames[i]) return static_cast<ChainOp>(i);
  }
  return ChainOp::kCount;
}
bool isChainType(ElementType type) {
  switch (type) {
    case ElementType::kFloat:
    case ElementType::kFloat16:
    case ElementType::kBfloat16:
    case ElementType::kDouble:
    case ElementType::kInt8:
    case ElementType::kUint8:
    case ElementType::kInt32:
    case ElementType::kInt64:
    case ElementType::kBool:
      return true;
    default:
      return false;
  }
}
bool isRowReduction(ChainOp op) {
  return op == ChainOp::kRowSum || op == ChainOp::kRowMean || op == ChainOp::kRowMax;
}

bool ChainProgram::hasRows() const {
  for (const ChainCode& step : steps) {
    if (isRowReduction(step.op)) return true;
  }
  return false;
}

uint64_t ChainProgram::constantValues() const {
  uint64_t constants = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    const ChainCode& step = steps[i];
    const uint8_t operands[] = {step.a, step.b, step.c};
    bool fixed = step.op == ChainOp::kConstant || (operandsOf(step.op) > 0 && !isRowReduction(step.op));
    for (int o = 0; o < operandsOf(step.op); ++o)
      fixed = fixed && (constants >> operands[o] & 1) != 0;
    if (fixed) constants |= uint64_t{1} << i;
  }
  return constants;
}

// A value is one a row when it is a row reduction, or made of such and of constants alone.
uint64_t ChainProgram::rowValues() const {
  const uint64_t constants = constantValues();
  uint64_t rows = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    const ChainCode& step = steps[i];
    const uint8_t operands[] = {step.a, step.b, step.c};
    const int count = operandsOf(step.op);
    bool row = isRowReduction(step.op);
    if (!row && count > 0) {
      bool uniform = true, any = false;
      for (int o = 0; o < count; ++o) {
        const bool isRow = (rows >> operands[o] & 1) != 0, isConstant = (constants >> operands[o] & 1) != 0;
        uniform = uniform && (isRow || isConstant);
        any = any || isRow;
      }
      row = uniform && any;
    }
    if (row) rows |= uint64_t{1} << i;
  }
  return rows;
}

ElementType ChainProgram::inputType(int input) const {
  for (const ChainCode& step : steps) {
    if (step.op == ChainOp::kInput && step.a == input) return step.type;
  }
  return ElementType::kUndefined;
}

namespace {

bool isFloatStep(ElementType type) {
  return isChainType(type) && isFloating(type);
}
bool isIntegerStep(ElementType type) {
  return isChainType(type) && isInteger(type);
}

bool integerHas(ChainOp op) {
  switch (op) {
    case ChainOp::kAdd:
    case ChainOp::kSub:
    case ChainOp::kMul:
    case ChainOp::kDiv:
    case ChainOp::kMax:
    case ChainOp::kMin:
    case ChainOp::kTruncMod:
    case ChainOp::kFloorMod:
    case ChainOp::kNeg:
    case ChainOp::kIdentity:
      return true;
    default:
      return false;
  }
}

// Why this step's types do not fit; empty: they do.
std::string_view typeFault(const ChainProgram& program, const ChainCode& step) {
  const auto typeAt = [&](uint8_t k) { return program.steps[k].type; };
  constexpr ElementType kBool = ElementType::kBool;
  if (!isChainType(step.type)) return "chains have no such element type";
  if (step.op == ChainOp::kInput || step.op == ChainOp::kConstant || step.op == ChainOp::kCast) return {};
  if (step.op == ChainOp::kWhere)
    return typeAt(step.a) == kBool && typeAt(step.b) == step.type && typeAt(step.c) == step.type
               ? ""
               : "Where takes a bool and two values of its type";
  if (step.op >= ChainOp::kNot && step.op <= ChainOp::kXor) {
    return step.type == kBool && typeAt(step.a) == kBool && (step.op == ChainOp::kNot || typeAt(step.b) == kBool)
               ? ""
               : "logic takes bools";
  }
  if (step.op >= ChainOp::kEqual && step.op <= ChainOp::kGreaterOrEqual)
    return step.type == kBool && typeAt(step.a) == typeAt(step.b)
               ? ""
               : "a comparison takes two values of one type and gives a bool";
  if (step.op == ChainOp::kIsNaN)
    return step.type == kBool && isFloatStep(typeAt(step.a)) ? "" : "IsNaN takes a float and gives a bool";
  if (typeAt(step.a) != step.type || (operandsOf(step.op) == 2 && typeAt(step.b) != step.type))
    return "operands and value differ in type";
  if (isRowReduction(step.op))
    return isFloatStep(step.type) && step.type != ElementType::kDouble ? ""
                                                                       : "rows are reduced in float or 16-bit floats";
  if (isFloatStep(step.type) || (isIntegerStep(step.type) && integerHas(step.op)) ||
      (step.type == kBool && step.op == ChainOp::kIdentity))
    return {};
  return "the operation has no such element type";
}

}  // namespace

Result<void> ChainProgram::check() {
  if (steps.empty() || steps.size() > static_cast<size_t>(kMostChainSteps))
    return fail(ErrorCode::kInvalidGraph, "a chain has 1 to {} steps, not {}", kMostChainSteps, steps.size());
  if (outputs.empty() || outputs.size() > static_cast<size_t>(kMostChainOutputs))
    return fail(ErrorCode::kInvalidGraph, "a chain has 1 to {} outputs, not {}", kMostChainOutputs, outputs.size());
  inputs = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    ChainCode& step = steps[i];
    if (step.op >= ChainOp::kCount) return fail(ErrorCode::kInvalidGraph, "step {} of the chain is no operation", i);
    const uint8_t operands[] = {step.a, step.b, step.c};
    for (int o = 0; o < operandsOf(step.op); ++o) {
      if (operands[o] >= i)
        return fail(ErrorCode::kInvalidGraph, "step {} of the chain uses v{}, which is not made before it", i,
                    operands[o]);
    }
    if (step.op == ChainOp::kInput && (step.a != inputs++ || inputs > kMostChainInputs))
      return fail(ErrorCode::kInvalidGraph, "step {} of the chain: a chain has at most {} inputs, in order", i,
                  kMostChainInputs);
    step.from = operandsOf(step.op) > 0 ? steps[step.a].type : ElementType::kUndefined;
    if (const std::string_view fault = typeFault(*this, step); !fault.empty())
      return fail(ErrorCode::kInvalidGraph, "step {} of the chain ({}): {}", i, nameOf(step.op), fault);
  }
  if (inputs == 0) return fail(ErrorCode::kInvalidGraph, "a chain without inputs");
  for (const int output : outputs) {
    if (output < 0 || static_cast<size_t>(output) >= steps.size())
      return fail(ErrorCode::kInvalidGraph, "the chain has no value v{} to put out", output);
  }
  return {};
}

Result<ChainProgram> ChainProgram::parse(std::string_view text) {
  ChainProgram program;
  size_t number = 0;
  const auto wrong = [&](std::string_view what, std::string_view seen) {
    return fail(ErrorCode::kInvalidGraph, "line {} of the chain: {} ('{}')", number, what, seen.substr(0, 40));
  };
  while (!text.empty()) {
    ++number;
    const size_t end = std::min(text.find('\n'), text.size());
    const std::vector<std::string_view> words = wordsOf(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty()) continue;
    if (words[0] == "Output") {
      int step = 0;
      if (words.size() != 2 || !readValue(words[1], step) ||
          program.outputs.size() >= static_cast<size_t>(kMostChainOutputs))
        return wrong("an output names one value, and there are few", words[0]);
      program.outputs.push_back(step);
      continue;
    }
    ChainCode step;
    step.op = chainOpOf(words[0]);
    if (step.op == ChainOp::kCount) return wrong("there is no such operation", words[0]);
    const std::optional<ElementType> type = words.size() > 1 ? elementTypeFromName(words[1]) : std::nullopt;
    if (!type || !isChainType(*type)) return wrong("there is no such element type", words.size() > 1 ? words[1] : "");
    step.type = *type;
    if (program.steps.size() >= static_cast<size_t>(kMostChainSteps)) return wrong("too many steps", words[0]);
    size_t at = 2;
    uint8_t* const operands[] = {&step.a, &step.b, &step.c};
    for (int o = 0; o < operandsOf(step.op); ++o, ++at) {
      int value = 0;
      if (at >= words.size() || !readValue(words[at], value) || value < 0 || value >= kMostChainSteps)
        return wrong("an operand is missing", words[0]);
      *operands[o] = static_cast<uint8_t>(value);
    }
    if (step.op == ChainOp::kInput) step.a = static_cast<uint8_t>(program.inputs++);
    if (at < words.size()) {
      if (words[at] != "|" || words.size() - at > 3)
        return wrong("parameters stand after a bar, at most two", words[at]);
      if (words.size() - at > 1 && !readNumber(words[at + 1], step.first))
        return wrong("that is no number", words[at + 1]);
      if (words.size() - at > 1 && isIntegerStep(step.type) && !readNumber(words[at + 1], step.whole))
        return wrong("that is no whole number", words[at + 1]);
      if (words.size() - at > 2 && !readNumber(words[at + 2], step.second))
        return wrong("that is no number", words[at + 2]);
      if (step.type == ElementType::kBool) step.whole = step.first != 0;
    }
    program.steps.push_back(step);
  }
  CUTAWAY_CHECK(program.check());
  return program;
}

std::string ChainProgram::text() const {
  std::string text;
  for (const ChainCode& step : steps) {
    text += fmt::format("{} {}", nameOf(step.op), elementTypeName(step.type));
    const uint8_t operands[] = {step.a, step.b, step.c};
    for (int o = 0; o < operandsOf(step.op); ++o)
      text += fmt::format(" v{}", operands[o]);
    if (step.op == ChainOp::kConstant && !isFloatStep(step.type))
      text += fmt::format(" | {}", step.whole);
    else if (step.op == ChainOp::kConstant || step.first != 0 || step.second != 0)
      text += fmt::format(" | {}", step.first);
    if (step.second != 0) text += fmt::format(" {}", step.second);
    text += '\n';
  }
  for (const int output : outputs)
    text += fmt::format("Output v{}\n", output);
  return text;
}

}  // namespace cutaway::cuda
