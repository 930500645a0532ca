# thixo_python_package(NAME DEPENDS module...): the folder's sources as the extension thixo/_thixo of the Python package `thixo`, and
# the modules of Python in NAME/thixo beside it: in build/…/python, ready for PYTHONPATH, and installed.
function(thixo_python_package name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  set(folder ${PROJECT_SOURCE_DIR}/src/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(TRANSFORM ARG_DEPENDS PREPEND thixo_)
  pybind11_add_module(thixo_${name} MODULE NO_EXTRAS ${sources})
  target_link_libraries(thixo_${name} PRIVATE ${ARG_DEPENDS})
  set_target_properties(thixo_${name} PROPERTIES OUTPUT_NAME _thixo LIBRARY_OUTPUT_DIRECTORY
                                                                    ${PROJECT_BINARY_DIR}/python/thixo)
  file(GLOB modules CONFIGURE_DEPENDS ${folder}/thixo/*.py ${folder}/thixo/*.pyi ${folder}/thixo/py.typed)
  foreach(module ${modules})
    get_filename_component(file ${module} NAME)
    configure_file(${module} ${PROJECT_BINARY_DIR}/python/thixo/${file} COPYONLY)
  endforeach()
  set(THIXO_PYTHON_FOLDER lib/python3/dist-packages/thixo
      CACHE STRING "Where the Python package is installed, below the prefix")
  install(TARGETS thixo_${name} LIBRARY DESTINATION ${THIXO_PYTHON_FOLDER})
  install(FILES ${modules} DESTINATION ${THIXO_PYTHON_FOLDER})
endfunction()
