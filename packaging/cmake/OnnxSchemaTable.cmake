# The table of onnx's schemas for engine/schema/onnx_schemas.cpp, from the classes that onnx's headers declare for them:
#
#   cutaway_onnx_schema_table(cutaway_schema)
#
# onnx_schema_table.inc has a line CUTAWAY_ONNX_SCHEMA(Onnx, 13, Abs) for each. A header of further operators is named here and
# in onnx_schemas.cpp.

function(cutaway_onnx_schema_table target)
  set(headers "${CMAKE_SOURCE_DIR}/build/deps/onnx/include/onnx/defs")
  set(rows "")
  foreach(name operator_sets operator_sets_ml operator_sets_preview)
    file(STRINGS "${headers}/${name}.h" lines REGEX "^class ONNX_(PREVIEW_)?OPERATOR_SET_SCHEMA_CLASS_NAME\\(")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^class ONNX_PREVIEW_OPERATOR_SET_SCHEMA_CLASS_NAME\\((.*)\\).*$" "OnnxPreview, \\1" line "${line}")
      string(REGEX REPLACE "^class ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME\\((.*)\\).*$" "\\1" line "${line}")
      string(APPEND rows "CUTAWAY_ONNX_SCHEMA(${line})\n")
    endforeach()
  endforeach()
  set(folder "${CMAKE_BINARY_DIR}/units/${target}")
  target_include_directories(${target} PRIVATE "${folder}")
  file(CONFIGURE OUTPUT "${folder}/onnx_schema_table.inc" CONTENT "${rows}")
endfunction()
