#include "engine/context/initializer_places.h"

#include <algorithm>
#include <cstring>

#include "engine/base/contained_file.h"
#include "engine/base/exception_text.h"
#include "engine/base/hash.h"
#include "engine/base/mapped_file.h"
#include "engine/base/quote.h"
#include "engine/tensor/six_bit_float.h"

namespace cutaway::context {

namespace fs = std::filesystem;

load::TensorPlacer InitializerPlaces::placer() const {
  if (m_places.empty()) return {};
  return [this](const Tensor& tensor, const std::string& name) -> Result<std::optional<load::ExternalPlace>> {
    const auto found = m_places.find({tensor.data(), name});
    return found == m_places.end() ? std::nullopt : std::optional(found->second);
  };
}

class InitializerPlacement {
 public:
  InitializerPlacement(const ContextOptions& options, const fs::path& folder, InitializerFiles& inTheRound,
                       const Progress& progress)
      : m_options(options), m_folder(folder), m_inTheRound(inTheRound), m_progress(progress) {}

  Result<InitializerPlaces> place(const Model& model) {
    Result<void> done;
    forEachGraph(model.graph, [&](const Graph& graph) {
      for (const ValueId id : graph.initializers()) {
        if (done) done = placeOne(graph.value(id));
      }
    });
    CUTAWAY_CHECK(done);
    if (m_file) CUTAWAY_CHECK(nameFile());
    return std::move(m_result);
  }

 private:
  struct Piece {
    int64_t offset;
    std::span<const std::byte> bytes;
  };

  Result<void> placeOne(const Value& value) {
    if (m_progress.cancelled()) return fail(cancelledError());
    const Tensor& tensor = *value.initializer;
    const bool canLeave = tensor.type() != ElementType::kString && !isSixBit(tensor.type()) && tensor.sizeBytes() > 0;
    if (canLeave && m_options.initializerHandler) {
      CUTAWAY_TRY(const std::optional<load::ExternalPlace> answered, ask(value));
      if (answered) {
        m_result.m_places.insert_or_assign({tensor.data(), value.name}, *answered);
        return {};
      }
    } else if (canLeave && !m_options.initializersFile.empty() &&
               tensor.sizeBytes() >= m_options.initializersThresholdBytes) {
      return append(value);
    }
    m_result.insideBytes += tensor.type() == ElementType::kString ? 0 : tensor.sizeBytes();
    return {};
  }

  Result<void> append(const Value& value) {
    if (!m_file) {
      CUTAWAY_TRY(m_file, NewFile::create(m_folder / m_options.initializersFile, {.overwrite = true}));
    }
    const std::span<const std::byte> bytes = value.initializer->bytes();
    CUTAWAY_CHECK(m_file->align(load::kExternalDataAlignment));
    m_pieces.push_back({m_file->sizeBytes(), bytes});
    m_result.m_places.insert_or_assign({value.initializer->data(), value.name},
                                       load::ExternalPlace{m_options.initializersFile, m_file->sizeBytes()});
    m_hash = hash64(bytes, m_hash);
    return m_file->write(bytes);
  }

  Result<std::optional<load::ExternalPlace>> ask(const Value& value) const {
    InitializerPlace answer;
    try {
      answer = m_options.initializerHandler(value.name, *value.initializer);
    } catch (const std::exception& exception) {
      return fail(
          atValue({ErrorCode::kRuntimeException,
                   fmt::format("the callback for initializers threw an exception: {}", exceptionText(exception)),
                   {}},
                  value.name));
    } catch (...) {
      return fail(atValue(
          {ErrorCode::kRuntimeException, "the callback for initializers threw something that is no std::exception", {}},
          value.name));
    }
    if (answer.embed) return std::nullopt;
    if (Result<void> checked = checkAnswer(answer, value.initializer->sizeBytes()); !checked)
      return fail(atValue(std::move(checked).error(), value.name));
    return load::ExternalPlace{std::move(answer.location), answer.offset};
  }

  Result<void> checkAnswer(const InitializerPlace& answer, int64_t sizeBytes) const {
    CUTAWAY_CHECK(checkContainedName(answer.location));
    if (m_options.modelSink && m_folder.empty()) return {};  // nobody knows where the model will lie
    const Result<std::shared_ptr<const MappedFile>> file = openContained(m_folder, answer.location);
    if (!file)
      return fail(ErrorCode::kInvalidArgument, "the callback for initializers says that they are in {}: {}",
                  quotedText(answer.location), file.error().message);
    const auto fileBytes = static_cast<int64_t>((*file)->bytes().size());
    if (answer.offset >= 0 && answer.offset <= fileBytes && sizeBytes <= fileBytes - answer.offset) return {};
    return fail(ErrorCode::kInvalidArgument,
                "the callback for initializers says that {} bytes are at offset {} of {}, which has {}", sizeBytes,
                answer.offset, quotedText(answer.location), fileBytes);
  }

  // The name that was asked for, else one that follows from the contents, unless a file is there that has other
  // contents.
  Result<void> nameFile() {
    const fs::path asked = m_options.initializersFile;
    const std::string stem = asked.stem().string(), ending = asked.extension().string();
    for (const std::string& name : {asked.string(), fmt::format("{}_{:08x}{}", stem, m_hash >> 32, ending),
                                    fmt::format("{}_{:016x}{}", stem, m_hash, ending)}) {
      bool isThere = false;
      if (const auto taken = m_inTheRound.find(name); taken != m_inTheRound.end()) {
        if (taken->second != std::pair(m_hash, m_file->sizeBytes())) continue;
        isThere = true;
      } else if (std::error_code error; fs::exists(fs::symlink_status(m_folder / name, error))) {
        if (!holdsThePieces(name)) continue;
        isThere = true;
      }
      for (auto& [key, place] : m_result.m_places)
        place.location = name;
      if (isThere) return {};  // and the new file goes away unpublished
      CUTAWAY_CHECK(m_file->setPath(m_folder / name));
      CUTAWAY_CHECK(m_file->seal());
      m_inTheRound.emplace(name, std::pair(m_hash, m_file->sizeBytes()));
      m_result.file = std::move(m_file);
      return {};
    }
    return fail(
        ErrorCode::kFail,
        "external initializers file {} and the names in its place exist with other contents: choose another name",
        quotedText(m_options.initializersFile));
  }

  bool holdsThePieces(const std::string& name) const {
    const Result<std::shared_ptr<const MappedFile>> file = openContained(m_folder, name);
    if (!file || static_cast<int64_t>((*file)->bytes().size()) != m_file->sizeBytes()) return false;
    return std::ranges::all_of(m_pieces, [&](const Piece& piece) {
      return std::memcmp((*file)->bytes().data() + piece.offset, piece.bytes.data(), piece.bytes.size()) == 0;
    });
  }

  const ContextOptions& m_options;
  fs::path m_folder;
  InitializerFiles& m_inTheRound;
  const Progress& m_progress;
  InitializerPlaces m_result;
  std::unique_ptr<NewFile> m_file;
  std::vector<Piece> m_pieces;
  uint64_t m_hash = 0;
};

Result<InitializerPlaces> placeInitializers(const Model& model, const ContextOptions& options, const fs::path& folder,
                                            InitializerFiles& inTheRound, const Progress& progress) {
  return InitializerPlacement(options, folder, inTheRound, progress).place(model);
}

}  // namespace cutaway::context
