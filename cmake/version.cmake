# thixo_version: version, commit and compiler in one small file, written anew only when one of them has changed. A new commit
# costs one file to compile, and the links.
set(THIXO_COMMIT "" CACHE STRING "Commit that is built; empty: git says")
set(version_source ${PROJECT_BINARY_DIR}/version.cpp)
set(write_version ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUT=${version_source} -DVERSION=${PROJECT_VERSION}
                  -DCOMMIT=${THIXO_COMMIT} -DARCH=${THIXO_ARCH}
                  "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
                  -P ${PROJECT_SOURCE_DIR}/cmake/write_version.cmake)
add_custom_target(write_version COMMAND ${write_version} BYPRODUCTS ${version_source} VERBATIM)

add_library(thixo_version STATIC ${version_source})
target_link_libraries(thixo_version PUBLIC thixo_flags)
add_dependencies(thixo_version write_version)
set_property(GLOBAL APPEND PROPERTY thixo_modules_with_objects version)
