# Units: one <name>.cpp that defines one function <kind>_<name>(). Naming it in its folder's CMakeLists is all it takes:
#
#   cutaway_units(cutaway_stage_optimize pass fold_constants fuse_conv_bn)    # any folder below the target, any number of times
#   cutaway_unit_table(cutaway_stage_optimize pass)                           # once, where the target is made
#
# The table is the file pass_table.inc, with one line CUTAWAY_UNIT(fold_constants) a unit, in list order. The target's
# own sources include it as "pass_table.inc" between #define CUTAWAY_UNIT(name) and #undef: once to declare the functions,
# once to list them. A misnamed unit is a link error, and no static initialiser is needed, which a static library may drop.

function(cutaway_units target kind)
  foreach(unit IN LISTS ARGN)
    cmake_path(GET unit FILENAME name)
    target_sources(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/${unit}.cpp")
    set_property(TARGET ${target} APPEND PROPERTY CUTAWAY_UNITS_${kind} "CUTAWAY_UNIT(${name})")
  endforeach()
endfunction()

function(cutaway_unit_table target kind)
  set(folder "${CMAKE_BINARY_DIR}/units/${target}")
  target_include_directories(${target} PRIVATE "${folder}")
  file(GENERATE OUTPUT "${folder}/${kind}_table.inc"
    CONTENT "$<JOIN:$<TARGET_PROPERTY:${target},CUTAWAY_UNITS_${kind}>,\n>\n")
endfunction()
