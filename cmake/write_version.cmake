# Writes OUT from version.cpp.in, unless it would be the same.
if(NOT COMMIT)
  execute_process(COMMAND git -C ${SOURCE} describe --always --exclude * --abbrev=12 --dirty=+
                  OUTPUT_VARIABLE COMMIT ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(NOT COMMIT)
  set(COMMIT unknown)
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.cpp.in ${OUT} @ONLY)
