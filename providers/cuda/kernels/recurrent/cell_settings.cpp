#include "providers/cuda/kernels/recurrent/cell_settings.h"

namespace cutaway::cuda {
namespace {

using operators::CellFunctionKind;
using operators::RecurrentKind;

CellKind kindOf(CellFunctionKind kind) {
  switch (kind) {
    case CellFunctionKind::kSigmoid:
      return CellKind::kSigmoid;
    case CellFunctionKind::kTanh:
      return CellKind::kTanh;
    case CellFunctionKind::kRelu:
      return CellKind::kRelu;
    case CellFunctionKind::kAffine:
      return CellKind::kAffine;
    case CellFunctionKind::kLeakyRelu:
      return CellKind::kLeakyRelu;
    case CellFunctionKind::kThresholdedRelu:
      return CellKind::kThresholdedRelu;
    case CellFunctionKind::kScaledTanh:
      return CellKind::kScaledTanh;
    case CellFunctionKind::kHardSigmoid:
      return CellKind::kHardSigmoid;
    case CellFunctionKind::kElu:
      return CellKind::kElu;
    case CellFunctionKind::kSoftsign:
      return CellKind::kSoftsign;
    case CellFunctionKind::kSoftplus:
      return CellKind::kSoftplus;
  }
  return CellKind::kTanh;
}

}  // namespace

Result<CellSettings> readCellSettings(const KernelInfo& info) {
  const std::string& name = info.node().opType;
  const RecurrentKind kind = name == "LSTM"  ? RecurrentKind::kLstm
                             : name == "GRU" ? RecurrentKind::kGru
                                             : RecurrentKind::kRnn;
  CellSettings settings;
  CUTAWAY_TRY(static_cast<operators::RecurrentSettings&>(settings), operators::readRecurrent(info.node(), kind));
  if (settings.clip == 0) return fail(ErrorCode::kNotImplemented, "{}: a clip of 0", settings.opType);
  CellParameters& cell = settings.cell;
  cell.directions = settings.directions;
  cell.gates = settings.gates;
  cell.productGates = kind == RecurrentKind::kGru && !settings.linearBeforeReset ? 2 : settings.gates;
  cell.batchFirst = settings.batchFirst;
  cell.reverseOnly = settings.reverseOnly;
  cell.inputForget = settings.inputForget;
  cell.linearBeforeReset = settings.linearBeforeReset;
  cell.clip = settings.clips() ? settings.clip : 0;
  for (size_t direction = 0; direction < settings.choices.size(); ++direction) {
    for (size_t i = 0; i < settings.choices[direction].size(); ++i) {
      const operators::CellFunctionChoice& choice = settings.choices[direction][i];
      cell.functions[direction][i] = {.kind = kindOf(choice.kind), .alpha = choice.alpha, .beta = choice.beta};
    }
  }
  return settings;
}

}  // namespace cutaway::cuda
