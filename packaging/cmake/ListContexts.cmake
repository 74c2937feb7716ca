# cmake -DTS=FILE.ts -DOUT=FILE.contexts -P ListContexts.cmake: writes the names of the contexts of a .ts file, one a line.
file(STRINGS "${TS}" lines REGEX "^ *<name>.*</name>")
set(names "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^ *<name>(.*)</name>.*" "\\1" name "${line}")
  string(APPEND names "${name}\n")
endforeach()
file(WRITE "${OUT}" "${names}")
