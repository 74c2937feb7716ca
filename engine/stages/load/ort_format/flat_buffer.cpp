#include "engine/stages/load/ort_format/flat_buffer.h"

#include "engine/base/input_budget.h"

namespace cutaway::load {

namespace {

constexpr size_t kOffsetBytes = sizeof(uint32_t);
constexpr size_t kVtableHeaderBytes = 2 * sizeof(uint16_t);  // its own size, then the table's
constexpr size_t kFirstTable = 4;                            // the root's offset lies before everything else

}  // namespace

FlatBuffer::FlatBuffer(ByteSpan bytes)
    : m_bytes(bytes), m_mostTaken(bytes.size() * kInputBudget.takenTimesTheFile + kInputBudget.takenAlways) {}

Result<void> FlatBuffer::status() const {
  if (!failed()) return {};
  return fail(ErrorCode::kInvalidProtobuf, "{}", m_problem);
}

void FlatBuffer::stop(FlatField field, size_t place, std::string_view problem) {
  if (failed()) return;
  m_problem = fmt::format("{} at byte {} {} (the file has {} bytes)", field.name, place, problem, m_bytes.size());
}

bool FlatBuffer::take(FlatField field, size_t place, size_t size) {
  if (failed()) return false;
  if (size > m_mostTaken - m_taken) {
    stop(field, place, "refers to bytes that were used over and over");
    return false;
  }
  m_taken += size;
  return true;
}

// Where the offset at `place` leads; 0 when that is outside the file.
size_t FlatBuffer::follow(FlatField field, size_t place) {
  if (failed()) return 0;
  const size_t offset = at<uint32_t>(place);
  if (offset < kOffsetBytes || !holds(place, offset) || !holds(place + offset, kOffsetBytes)) {
    stop(field, place, fmt::format("leads {} bytes on, outside the file", offset));
    return 0;
  }
  return place + offset;
}

ByteSpan FlatBuffer::vectorAt(FlatField field, size_t place, size_t elementBytes) {
  const size_t start = follow(field, place);
  if (start == 0) return {};
  const size_t count = at<uint32_t>(start);
  const size_t size = count * elementBytes;
  if (!holds(start + kOffsetBytes, size)) {
    stop(field, start, fmt::format("has {} elements, more than the file holds", count));
    return {};
  }
  if (!take(field, start, size)) return {};
  return m_bytes.subspan(start + kOffsetBytes, size);
}

FlatTable FlatBuffer::tableAt(FlatField field, size_t place) {
  const size_t start = follow(field, place);
  if (start == 0) return {};
  const int64_t vtable = static_cast<int64_t>(start) - at<int32_t>(start);
  if (vtable < static_cast<int64_t>(kFirstTable) || !holds(static_cast<size_t>(vtable), kVtableHeaderBytes)) {
    stop(field, start, "is a table whose list of fields lies outside the file");
    return {};
  }
  FlatTable table;
  table.m_place = start;
  table.m_vtable = static_cast<size_t>(vtable);
  table.m_vtableSize = at<uint16_t>(table.m_vtable);
  table.m_size = at<uint16_t>(table.m_vtable + sizeof(uint16_t));
  if (table.m_vtableSize < kVtableHeaderBytes || !holds(table.m_vtable, table.m_vtableSize) ||
      table.m_size < kOffsetBytes || !holds(start, table.m_size)) {
    stop(field, start,
         fmt::format("is a table of {} bytes with {} bytes of fields, which do not fit", table.m_size,
                     table.m_vtableSize));
    return {};
  }
  if (!take(field, start, table.m_size)) return {};
  table.m_buffer = this;
  return table;
}

FlatTable FlatBuffer::root() {
  constexpr FlatField kRoot{0, "the root"};
  if (!holds(0, kOffsetBytes)) {
    stop(kRoot, 0, "is missing");
    return {};
  }
  return tableAt(kRoot, 0);
}

size_t FlatTable::placeOf(FlatField field, size_t size) const {
  if (m_buffer == nullptr || m_buffer->failed()) return 0;
  const size_t entry = kVtableHeaderBytes + static_cast<size_t>(field.slot) * sizeof(uint16_t);
  if (entry + sizeof(uint16_t) > m_vtableSize) return 0;
  const size_t offset = m_buffer->at<uint16_t>(m_vtable + entry);
  if (offset == 0) return 0;
  if (offset < kOffsetBytes || offset + size > m_size) {
    m_buffer->stop(field, m_place + offset, "stands outside its table");
    return 0;
  }
  return m_place + offset;
}

ByteSpan FlatTable::elements(FlatField field, size_t elementBytes) const {
  const size_t place = placeOf(field, kOffsetBytes);
  return place == 0 ? ByteSpan() : m_buffer->vectorAt(field, place, elementBytes);
}

FlatTable FlatTable::table(FlatField field) const {
  const size_t place = placeOf(field, kOffsetBytes);
  return place == 0 ? FlatTable() : m_buffer->tableAt(field, place);
}

// Places of the elements of a vector of offsets.
std::vector<size_t> FlatTable::offsets(FlatField field) const {
  const ByteSpan stored = elements(field, kOffsetBytes);
  std::vector<size_t> places(stored.size() / kOffsetBytes);
  for (size_t i = 0; i < places.size(); ++i)
    places[i] = static_cast<size_t>(stored.data() - m_buffer->m_bytes.data()) + i * kOffsetBytes;
  return places;
}

std::vector<std::string> FlatTable::texts(FlatField field) const {
  std::vector<std::string> texts;
  for (const size_t place : offsets(field)) {
    texts.emplace_back(textOf(m_buffer->vectorAt(field, place, 1)));
    if (m_buffer->failed()) return {};
  }
  return texts;
}

std::vector<FlatTable> FlatTable::tables(FlatField field) const {
  std::vector<FlatTable> tables;
  for (const size_t place : offsets(field)) {
    tables.push_back(m_buffer->tableAt(field, place));
    if (m_buffer->failed()) return {};
  }
  return tables;
}

}  // namespace cutaway::load
