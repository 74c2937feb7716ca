// The fields of a FunctionProto, by their numbers.
#include "engine/schema/proto_reader.h"

namespace cutaway {

Result<StoredFunction> readStoredFunction(ByteSpan bytes) {
  WireReader reader(bytes);
  StoredFunction stored;
  Function& function = stored.function;
  while (reader.next()) {
    if (!reader.isBytes()) continue;
    switch (reader.number()) {
      case 1:
        function.name = reader.string();
        break;
      case 4:
        stored.inputs.push_back(reader.string());
        break;
      case 5:
        stored.outputs.push_back(reader.string());
        break;
      case 6:
        function.attributes.push_back(reader.string());
        break;
      case 7:
        stored.nodes.push_back(reader.bytes());
        break;
      case 8:
        function.documentation = reader.string();
        break;
      case 9: {
        CUTAWAY_TRY(OpsetImport import, readOpsetImport(reader.bytes()));
        function.opsets.push_back(std::move(import));
        break;
      }
      case 10:
        function.domain = reader.string();
        break;
      case 11:
        stored.defaults.push_back(reader.bytes());
        break;
      case 12:
        stored.valueInfos.push_back(reader.bytes());
        break;
      case 13:
        function.overload = reader.string();
        break;
      default:
        break;
    }
  }
  CUTAWAY_CHECK(reader.status());
  if (function.domain == "ai.onnx") function.domain.clear();
  return stored;
}

}  // namespace cutaway
