# What `cmake --install` puts where; other programs find it by find_package(thixo) (docs/library.md).
include(CMakePackageConfigHelpers)

install(TARGETS thixo)
if(BUILD_SHARED_LIBS)
  # A library of the program alone: in a folder of its own, where no other program looks.
  install(TARGETS thixo_program LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/thixo)
  file(RELATIVE_PATH libraries /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  # Relative to the program, and as it is configured: the loader knows of $ORIGIN only where /proc is mounted.
  set_target_properties(thixo PROPERTIES INSTALL_RPATH
                                         "$ORIGIN/${libraries}/thixo;${CMAKE_INSTALL_FULL_LIBDIR}/thixo")
endif()
install(DIRECTORY schema scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/thixo)

install(DIRECTORY include/thixo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/thixo)
install(TARGETS libthixo EXPORT thixo)
install(EXPORT thixo NAMESPACE thixo:: FILE thixo-targets.cmake DESTINATION ${config_folder})
if(TARGET libthixo_render)
  install(TARGETS libthixo_render EXPORT thixo-render)
  install(EXPORT thixo-render NAMESPACE thixo:: FILE thixo-render-targets.cmake DESTINATION ${config_folder})
endif()
configure_package_config_file(cmake/thixo-config.cmake.in thixo-config.cmake INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(thixo-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/thixo-config.cmake ${PROJECT_BINARY_DIR}/thixo-config-version.cmake
        DESTINATION ${config_folder})

# The same libraries for other processors: the loader of glibc takes them where the processor is good enough for LEVEL.
foreach(pair ${THIXO_HWCAPS})
  string(REGEX MATCH "^([^=]+)=(.+)$" matched "${pair}")
  set(level ${CMAKE_MATCH_1})
  set(folder ${CMAKE_MATCH_2})
  set(soname .so.${PROJECT_VERSION_MAJOR})
  install(FILES ${folder}/lib/libthixo.so.${PROJECT_VERSION} RENAME libthixo${soname}
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/${level})
  install(FILES ${folder}/lib/libthixo_render.so.${PROJECT_VERSION} RENAME libthixo_render${soname}
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/${level} OPTIONAL)
  install(FILES ${folder}/apps/thixo/libthixo_program.so
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/thixo/glibc-hwcaps/${level})
  # Python loads extensions itself; thixo/__init__.py chooses.
  if(TARGET thixo_python)
    install(DIRECTORY ${folder}/python/thixo/ DESTINATION ${THIXO_PYTHON_FOLDER}/${level} FILES_MATCHING PATTERN "_thixo*.so")
  endif()
endforeach()
