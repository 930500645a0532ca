# Flags every target of Thixo is built with.
add_library(thixo_flags INTERFACE)
target_include_directories(thixo_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(thixo_flags INTERFACE OpenMP::OpenMP_CXX fmt::fmt)
target_compile_options(
  thixo_flags
  INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
            # errno and floating-point traps would keep sqrt and comparisons out of SIMD loops.
            -fno-math-errno -fno-trapping-math
            # Settings are filled by designated initializers; what is left out has its default.
            -Wno-missing-field-initializers
            # Lanes are passed between inlined functions only: how a call would pass them does not matter.
            -Wno-psabi
            $<$<BOOL:${THIXO_WERROR}>:-Werror>
            $<IF:$<BOOL:${THIXO_PORTABLE}>,-march=x86-64-v2,-march=native>)
if(THIXO_SANITIZE)
  target_compile_options(thixo_flags INTERFACE -fsanitize=${THIXO_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(thixo_flags INTERFACE -fsanitize=${THIXO_SANITIZE})
endif()

# thixo_module(NAME DEPENDS module...): the folder's sources as the library thixo_NAME. What is not listed
# under DEPENDS cannot be linked, so the direction of dependencies is checked by the build.
function(thixo_module name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(TRANSFORM ARG_DEPENDS PREPEND thixo_)
  if(sources)
    add_library(thixo_${name} STATIC ${sources})
    target_link_libraries(thixo_${name} PUBLIC thixo_flags ${ARG_DEPENDS} PRIVATE ${ARG_LIBRARIES})
    if(name STREQUAL "core")
      target_precompile_headers(thixo_core PRIVATE ${PROJECT_SOURCE_DIR}/src/precompiled.h)
    else()
      target_precompile_headers(thixo_${name} REUSE_FROM thixo_core)
    endif()
  else()
    add_library(thixo_${name} INTERFACE)
    target_link_libraries(thixo_${name} INTERFACE thixo_flags ${ARG_DEPENDS})
  endif()
endfunction()
