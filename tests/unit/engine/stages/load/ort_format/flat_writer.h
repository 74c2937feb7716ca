#pragma once
// Writes small FlatBuffers for tests, right and wrong ones: a table is a list of fields, written before what it leads
// to, so that every offset leads forward.
//
// Thread rule: pure. Example: const QByteArray file = flatFile("ORTM", FlatNode::table({{0, FlatNode::text("6")}}));

#include <map>
#include <memory>
#include <variant>
#include <vector>

#include <QtCore/QByteArray>

namespace cutaway {

struct FlatNode {
  using Fields = std::map<int, std::shared_ptr<FlatNode>>;
  using List = std::vector<std::shared_ptr<FlatNode>>;
  struct Scalar {
    QByteArray bytes;
  };
  struct Bytes {
    QByteArray bytes;
    int elementBytes = 1;
  };
  std::variant<Scalar, Bytes, Fields, List> value;

  static std::shared_ptr<FlatNode> table(Fields fields) {
    return std::make_shared<FlatNode>(FlatNode{std::move(fields)});
  }
  static std::shared_ptr<FlatNode> list(List elements) {
    return std::make_shared<FlatNode>(FlatNode{std::move(elements)});
  }
  static std::shared_ptr<FlatNode> text(const QByteArray& text) { return bytes(text, 1); }
  static std::shared_ptr<FlatNode> bytes(const QByteArray& bytes, int elementBytes) {
    return std::make_shared<FlatNode>(FlatNode{Bytes{bytes, elementBytes}});
  }
  template <typename T>
  static std::shared_ptr<FlatNode> number(T value) {
    return std::make_shared<FlatNode>(FlatNode{Scalar{QByteArray(reinterpret_cast<const char*>(&value), sizeof(T))}});
  }
};

class FlatWriter {
 public:
  QByteArray write(const QByteArray& identifier, const std::shared_ptr<FlatNode>& root) {
    m_file = QByteArray(4, 0) + identifier;
    m_open.push_back({0, root});
    // What is written once is referred to from everywhere: sharing in the tree is sharing in the file.
    for (size_t i = 0; i < m_open.size(); ++i) {
      const auto [from, node] = m_open[i];
      auto place = m_places.find(node.get());
      if (place == m_places.end() || place->second <= from)
        place = m_places.insert_or_assign(node.get(), put(*node)).first;
      patch<uint32_t>(from, static_cast<uint32_t>(place->second - from));
    }
    return m_file;
  }

 private:
  template <typename T>
  void patch(qsizetype at, T value) {
    m_file.replace(at, sizeof(T), QByteArray(reinterpret_cast<const char*>(&value), sizeof(T)));
  }
  template <typename T>
  void append(T value) {
    m_file.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void align(qsizetype bytes) {
    while (m_file.size() % bytes != 0)
      m_file.append('\0');
  }

  qsizetype put(const FlatNode& node) {
    if (const auto* bytes = std::get_if<FlatNode::Bytes>(&node.value)) return putBytes(*bytes);
    if (const auto* fields = std::get_if<FlatNode::Fields>(&node.value)) return putTable(*fields);
    const auto& elements = std::get<FlatNode::List>(node.value);
    align(4);
    const qsizetype place = m_file.size();
    append(static_cast<uint32_t>(elements.size()));
    for (const auto& each : elements) {
      m_open.push_back({m_file.size(), each});
      append(uint32_t{0});
    }
    return place;
  }
  qsizetype putBytes(const FlatNode::Bytes& bytes) {
    align(8);
    m_file.append(4, '\0');  // so that what follows the count is aligned for 8 bytes
    const qsizetype place = m_file.size();
    append(static_cast<uint32_t>(bytes.bytes.size() / bytes.elementBytes));
    m_file.append(bytes.bytes).append('\0');
    return place;
  }
  qsizetype putTable(const FlatNode::Fields& fields) {
    align(8);
    const int count = fields.empty() ? 0 : fields.rbegin()->first + 1;
    const qsizetype vtable = m_file.size();
    m_file.append(4 + 2 * count, '\0');
    align(4);
    const qsizetype place = m_file.size();
    append(static_cast<int32_t>(place - vtable));
    for (const auto& [slot, field] : fields) {
      patch<uint16_t>(vtable + 4 + 2 * slot, static_cast<uint16_t>(m_file.size() - place));
      if (const auto* scalar = std::get_if<FlatNode::Scalar>(&field->value)) {
        m_file.append(scalar->bytes);
      } else {
        m_open.push_back({m_file.size(), field});
        append(uint32_t{0});
      }
    }
    patch<uint16_t>(vtable, static_cast<uint16_t>(4 + 2 * count));
    patch<uint16_t>(vtable + 2, static_cast<uint16_t>(m_file.size() - place));
    return place;
  }

  QByteArray m_file;
  std::vector<std::pair<qsizetype, std::shared_ptr<FlatNode>>> m_open;
  std::map<const FlatNode*, qsizetype> m_places;
};

inline QByteArray flatFile(const QByteArray& identifier, const std::shared_ptr<FlatNode>& root) {
  return FlatWriter().write(identifier, root);
}

}  // namespace cutaway
