#pragma once
// Recursive-descent parser of the text notation (text.h says what it looks like). Bodies and types may nest up to a
// fixed depth, because texts may come from anywhere.
//
// Thread rule: one thread, one text. Example: TextParser parser(text); CUTAWAY_TRY(Model model, parser.parseModel());

#include <string_view>

#include "engine/graph/model.h"
#include "engine/graph/text_lexer.h"
#include "engine/graph/text_tensor.h"

namespace cutaway {

class TextParser {
 public:
  explicit TextParser(std::string_view text) : m_lexer(text) {}
  Result<Model> parseModel();

 private:
  // --- tokens: m_token is the one to be read next
  Result<void> advance();
  bool at(std::string_view mark) const { return m_token.is(mark); }
  bool atName() const { return m_token.kind == TokenKind::kIdentifier || m_token.kind == TokenKind::kString; }
  Result<void> expect(std::string_view mark);
  Result<bool> accept(std::string_view mark);
  Result<std::string> name(std::string_view what);
  Result<int64_t> integer();
  tl::unexpected<Error> unexpected(std::string_view expected) const;
  // Reads items with readItem() between the marks, separated by commas.
  template <typename ReadItem>
  Result<void> list(std::string_view open, std::string_view close, ReadItem&& readItem);

  // --- model, functions, graphs
  Result<void> header(Model& model);
  Result<void> headerProperty(Model& model);
  Result<Function> function(const Model& model);
  Result<void> functionProperty(Function& made);
  Result<void> functionAttribute(Function& made);
  Result<std::vector<OpsetImport>> opsets();
  Result<void> metadata(std::map<std::string, std::string>& entries);
  Result<void> signature(Graph& graph);
  Result<Graph> graph();
  Result<void> graphRest(Graph& graph);
  Result<void> declaration(Graph& graph);
  Result<void> nodes(Graph& graph);
  Result<void> node(Graph& graph);
  Result<void> operatorName(Node& made);
  void closeBody(Graph& body) const;

  // --- types, tensors, attributes (text_parser_values.cpp)
  bool atType() const;
  Result<ValueType> type(int depth);
  Result<ValueType> wrappedType(std::string_view word, int depth);
  Result<Shape> shape();
  Result<ElementType> elementType();
  Result<Tensor> tensorOf(const ValueType& type, std::string_view name);
  Result<Tensor> tensor();
  Result<SparseTensor> sparseTensor();
  Result<Attribute> attribute();
  Result<AttributeValue> attributeValue(std::string_view kind);
  Result<AttributeValue> scalarValue(std::string_view kind);
  Result<AttributeValue> listValue(std::string_view kind);
  Result<AttributeValue> numberValue(std::string_view kind);

  TextLexer m_lexer;
  Token m_token;
  int m_depth = 0;
  bool m_overridable = true;  // initializers among the inputs are defaults (IR 4 and later)
};

template <typename ReadItem>
Result<void> TextParser::list(std::string_view open, std::string_view close, ReadItem&& readItem) {
  CUTAWAY_CHECK(expect(open));
  if (!at(close)) {
    for (bool more = true; more;) {
      CUTAWAY_CHECK(readItem());
      CUTAWAY_TRY(more, accept(","));
    }
  }
  return expect(close);
}

}  // namespace cutaway
