# The page of `thixo view`: built from web/ by Vite, and kept in the program, so that it needs no other files and no Node. What Vite needs is
# in web/node_modules, which `script/setup viewer` fetches: a build never uses the network. Without it the page says how to get it.
find_program(THIXO_NODE node DOC "Node.js, for the page of the viewer")
set(THIXO_WEB ${PROJECT_SOURCE_DIR}/web)
set(THIXO_VITE ${THIXO_WEB}/node_modules/vite/bin/vite.js)
if(THIXO_NODE AND EXISTS ${THIXO_VITE})
  set(THIXO_PAGE TRUE)
  message(STATUS "Viewer: yes")
else()
  set(THIXO_PAGE FALSE)
  message(STATUS "Viewer: without its page, Node or web/node_modules not found (script/setup viewer)")
endif()

function(thixo_viewer_page target)
  if(THIXO_PAGE)
    set(names index.html app.js app.css worker.js)
    set(folder ${PROJECT_BINARY_DIR}/web)
    file(GLOB sources CONFIGURE_DEPENDS ${THIXO_WEB}/*.html ${THIXO_WEB}/src/*)
    set(built ${names})
    list(TRANSFORM built PREPEND ${folder}/)
    add_custom_command(
      OUTPUT ${built}
      COMMAND ${THIXO_NODE} ${THIXO_VITE} build --logLevel warn --outDir ${folder} --emptyOutDir
      WORKING_DIRECTORY ${THIXO_WEB}
      DEPENDS ${sources} ${THIXO_WEB}/package-lock.json ${THIXO_WEB}/vite.config.js
      COMMENT "Building the viewer's page"
      VERBATIM)
  else()
    set(names index.html)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/web)
    set(built ${folder}/index.html)
    file(WRITE ${built} "<!doctype html><title>Thixo</title><p>This program was built without the viewer's page: run
<code>script/setup viewer</code>, and build it again.\n")
  endif()
  # The assembler takes the files as they are; a literal of a megabyte would take the compiler half a minute.
  set(blobs)
  set(entries)
  foreach(name ${names})
    string(MAKE_C_IDENTIFIER "thixo_page_${name}" symbol)
    string(APPEND blobs "THIXO_EMBED(${symbol}, \"${folder}/${name}\")\n")
    string(APPEND entries "    {\"${name}\", {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})}},\n")
  endforeach()
  file(CONFIGURE OUTPUT page_files.cpp CONTENT [[
#include "view/page_files.h"

#define THIXO_EMBED(name, file)                                                                               \
    __asm__(".section .rodata\n" #name ":\n.incbin \"" file "\"\n" #name "_end:\n.byte 0\n.previous\n");       \
    extern "C" __attribute__((visibility("hidden"))) const char name[], name##_end[];

@blobs@
namespace thixo {

std::span<const PageFile> page_files() {
    static const PageFile files[] = {
@entries@    };
    return files;
}

}  // namespace thixo
]] @ONLY)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/page_files.cpp)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${built}" SKIP_PRECOMPILE_HEADERS ON
                                                        SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${source})
endfunction()
