#include "providers/cuda/kernels/matmul/product.h"

#include "providers/cuda/kernels/dense_product.h"

namespace cutaway::cuda {
namespace {

bool isLibraryType(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kFloat16 || type == ElementType::kBfloat16 ||
         type == ElementType::kDouble;
}

// Products with a vector whose operands both lie along the depth: bound by memory, which a block for each result reads
// at full width.
bool wantsDots(const MadeProduct& made) {
  const Pairing& p = made.wanted.pairing;
  const bool alongA = !p.transposeA || (p.rows == 1 && p.rowStrideA == 1),
             alongB = p.transposeB || (p.columns == 1 && p.rowStrideB == 1);
  return (p.rows == 1 || p.columns == 1) && alongA && alongB && p.depth >= 32;
}

// What the library's epilogue can say of it.
bool epilogueOf(const ProductFinish& finish, Epilogue& epilogue) {
  if (finish.inner != 1 || finish.outer != 1 || finish.kind > FinishKind::kElu || finish.scale != 1) return false;
  if (finish.addend != ProductFinish::Addend::kNone && finish.addend != ProductFinish::Addend::kColumns) return false;
  epilogue = {.bias = finish.addend == ProductFinish::Addend::kColumns,
              .residual = finish.residual,
              .activation = static_cast<Activation>(finish.kind),
              .first = finish.first,
              .second = finish.second};
  return true;
}
static_assert(static_cast<int>(FinishKind::kElu) == static_cast<int>(Activation::kElu) &&
              static_cast<int>(FinishKind::kHardSwish) == static_cast<int>(Activation::kHardSwish));

template <typename T>
void append(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void keyOf(const ProductWanted& wanted, std::string& key) {
  const Pairing& p = wanted.pairing;
  key.clear();
  for (const int64_t number : {p.rows, p.columns, p.depth, p.rowStrideA, p.rowStrideB, p.pairs,
                               int64_t{p.transposeA} * 2 + int64_t{p.transposeB}, int64_t{p.batch.rank}})
    append(key, number);
  for (int axis = 0; axis < p.batch.rank; ++axis) {
    for (const int64_t number : {p.batch.dims[axis], p.batch.strides[0][axis], p.batch.strides[1][axis]})
      append(key, number);
  }
  const ProductFinish& f = wanted.finish;
  for (const float number : {f.alpha, f.scale, f.first, f.second, f.inner, f.outer})
    append(key, number);
  append(key, static_cast<int32_t>(f.kind) * 64 + static_cast<int32_t>(f.addend) * 2 + f.residual);
}

FinishParameters finishParameters(const ProductFinish& f, const Pairing& p, const ProductPointers& pointers) {
  using Addend = ProductFinish::Addend;
  return {.y = pointers.y,
          .addend = f.addend == Addend::kNone ? nullptr : pointers.addend,
          .residual = f.residual ? pointers.residual : nullptr,
          .columns = p.columns,
          .rows = p.rows,
          .addendRow = f.addend == Addend::kRows    ? 1
                       : f.addend == Addend::kCells ? p.columns
                                                    : 0,
          .addendColumn = f.addend == Addend::kColumns || f.addend == Addend::kCells ? 1 : 0,
          .count = p.pairs * p.cells(),
          .scale = f.scale,
          .kind = f.kind,
          .first = f.first,
          .second = f.second,
          .inner = f.inner,
          .outer = f.outer};
}

}  // namespace

Result<ProductMaker> ProductMaker::create(const GpuResources& resources, ElementType type) {
  ProductMaker maker;
  maker.m_type = type;
  CUTAWAY_TRY(maker.m_plain, resources.find(fmt::format("product.plain.{}", functorType(type))));
  CUTAWAY_TRY(maker.m_finish, resources.find(fmt::format("product.finish.{}", functorType(type))));
  if (isLibraryType(type)) {
    CUTAWAY_TRY(maker.m_dot, resources.find(fmt::format("product.dot.{}", functorType(type))));
  }
  return maker;
}

Result<MadeProduct> ProductMaker::make(const GpuResources& resources, const ProductWanted& wanted) const {
  MadeProduct made{
      .wanted = wanted, .description = {}, .operation = nullptr, .dots = false, .tiles = {}, .left = wanted.finish};
  MatmulDescription& description = made.description;
  describePairing(wanted.pairing, description);
  description.a = description.b = description.y = description.bias = m_type;
  description.alpha = wanted.finish.alpha;
  description.math = m_type == ElementType::kFloat && resources.options().tf32 ? MathMode::kTf32 : MathMode::kPrecise;
  if (wanted.pairing.cells() == 0 || wanted.pairing.pairs == 0 || wanted.pairing.depth == 0 || !isLibraryType(m_type))
    return made;
  made.dots = wantsDots(made);
  if (!made.dots) CUTAWAY_CHECK(askLibrary(resources, made));
  return made;
}

Result<void> ProductMaker::askLibrary(const GpuResources& resources, MadeProduct& made) const {
  DeviceBackend& backend = *resources.backend();
  // A list of products runs its epilogue by each; a residual follows the output's own pairs, so only the last form of
  // it (one product) takes part.
  const bool one = outerPairs(made.wanted.pairing, made.description) == 1;
  MatmulDescription whole = made.description;
  // All of it, else the sums of it, else the bare product.
  ProductFinish sums = made.wanted.finish;
  sums.kind = FinishKind::kNone;
  for (const ProductFinish& tried : {made.wanted.finish, sums}) {
    if (!one || tried.isNothing() || !epilogueOf(tried, whole.epilogue)) continue;
    const Status status = backend.makeMatmul(whole, resources.artifacts(), made.operation);
    if (!status.ok() && status.code != StatusCode::kUnsupported) return fail(asError(status, "a matrix product"));
    if (!status.ok()) continue;
    made.description = whole;
    made.left = {.kind = tried.kind == made.wanted.finish.kind ? FinishKind::kNone : made.wanted.finish.kind,
                 .first = made.wanted.finish.first,
                 .second = made.wanted.finish.second};
    return {};
  }
  const Status status = backend.makeMatmul(made.description, resources.artifacts(), made.operation);
  if (!status.ok() && status.code != StatusCode::kUnsupported) return fail(asError(status, "a matrix product"));
  if (!status.ok()) {
    made.operation = nullptr;
    askTiles(resources, made);
  }
  return {};
}

// The tiled product knows batches of every kind, and the library's epilogue; matrices smaller than a few tiles' rows
// are left to one thread for each result.
void ProductMaker::askTiles(const GpuResources& resources, MadeProduct& made) const {
  constexpr int64_t kLeast = 8;
  if (made.description.m < kLeast || made.description.n < kLeast) return;
  if (auto tiles = resources.find(gemmFunctor(made.description))) made.tiles = *tiles;
  if (made.tiles && epilogueOf(made.wanted.finish, made.description.epilogue)) made.left = {};
}

Result<void> ProductMaker::run(GpuCall& call, const MadeProduct& made, const ProductPointers& pointers) const {
  if (made.wanted.pairing.cells() == 0 || made.wanted.pairing.pairs == 0) return {};
  if (made.operation == nullptr && !made.tiles) return runFunctor(call, made, pointers);
  CUTAWAY_CHECK(made.operation != nullptr ? runOperation(call, made, pointers) : runTiles(call, made, pointers));
  return made.left.isNothing() ? Result<void>{}
                               : call.launch(m_finish, finishParameters(made.left, made.wanted.pairing, pointers));
}

Result<void> ProductMaker::runOperation(GpuCall& call, const MadeProduct& made, const ProductPointers& pointers) const {
  const Pairing& p = made.wanted.pairing;
  const Epilogue& epilogue = made.description.epilogue;
  const int64_t size = bitsOf(m_type) / 8, lists = outerPairs(p, made.description);
  const auto at = [&](const void* base, int64_t elements) {
    return static_cast<const std::byte*>(base) + elements * size;
  };
  for (int64_t list = 0; list < lists; ++list) {
    int64_t offsets[2];
    p.batch.offsets(list * made.description.batch, offsets);
    const void *a = at(pointers.a, offsets[0]), *b = at(pointers.b, offsets[1]),
               *y = at(pointers.y, list * made.description.batch * p.cells());
    if (epilogue.bias && epilogue.residual)
      CUTAWAY_CHECK(call.run(*made.operation, {a, b, y, pointers.addend, pointers.residual}));
    else if (epilogue.bias)
      CUTAWAY_CHECK(call.run(*made.operation, {a, b, y, pointers.addend}));
    else if (epilogue.residual)
      CUTAWAY_CHECK(call.run(*made.operation, {a, b, y, pointers.residual}));
    else
      CUTAWAY_CHECK(call.run(*made.operation, {a, b, y}));
  }
  return {};
}

Result<void> ProductMaker::runTiles(GpuCall& call, const MadeProduct& made, const ProductPointers& pointers) const {
  const Pairing& pairing = made.wanted.pairing;
  GemmParameters p = gemmParameters(made.description);
  p.a = pointers.a;
  p.b = pointers.b;
  p.y = pointers.y;
  p.batches = pairing.pairs;
  p.batchMap = pairing.batch;
  p.batchStrideY = p.batchStrideResidual = pairing.cells();
  if (made.description.epilogue.bias) p.bias = pointers.addend;
  if (made.description.epilogue.residual) p.residual = pointers.residual;
  return call.launch(made.tiles, p);
}

Result<void> ProductMaker::runFunctor(GpuCall& call, const MadeProduct& made, const ProductPointers& pointers) const {
  const Pairing& p = made.wanted.pairing;
  ProductParameters parameters{.a = pointers.a,
                               .b = pointers.b,
                               .y = pointers.y,
                               .m = p.rows,
                               .n = p.columns,
                               .k = p.depth,
                               .rowA = p.transposeA ? 1 : p.rowStrideA,
                               .stepA = p.transposeA ? p.rowStrideA : 1,
                               .stepB = p.transposeB ? 1 : p.rowStrideB,
                               .columnB = p.transposeB ? p.rowStrideB : 1,
                               .batch = p.batch,
                               .count = p.pairs * p.cells(),
                               .alpha = made.wanted.finish.alpha,
                               .finish = finishParameters(made.wanted.finish, p, pointers)};
  return call.launch(made.dots ? m_dot : m_plain, parameters);
}

Result<void> ProductSlot::prepare(const GpuResources& resources, ElementType type,
                                  const std::optional<ProductWanted>& known) {
  CUTAWAY_TRY(m_maker, ProductMaker::create(resources, type));
  if (!known) return {};
  CUTAWAY_TRY(m_known, m_maker.make(resources, *known));
  keyOf(*known, m_knownKey);
  return {};
}

Result<void> ProductSlot::run(GpuCall& call, const ProductWanted& wanted, const ProductPointers& pointers) const {
  auto& state = static_cast<ProductState&>(*call.context().state());
  CUTAWAY_TRY(const MadeProduct* made, state.find(*this, call.run().resources(), wanted));
  return m_maker.run(call, *made, pointers);
}

Result<const MadeProduct*> ProductState::find(const ProductSlot& slot, const GpuResources& resources,
                                              const ProductWanted& wanted) {
  keyOf(wanted, m_key);
  if (slot.m_known && m_key == slot.m_knownKey) return &*slot.m_known;
  if (const auto found = m_made.find(m_key); found != m_made.end()) return &found->second;
  CUTAWAY_TRY(MadeProduct made, slot.m_maker.make(resources, wanted));
  if (m_made.size() >= kMost) m_made.clear();
  return &m_made.emplace(m_key, std::move(made)).first->second;
}

}  // namespace cutaway::cuda
