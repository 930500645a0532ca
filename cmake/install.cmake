# What `cmake --install` puts where; other programs find it by find_package(thixo) (docs/library.md).
include(CMakePackageConfigHelpers)

install(TARGETS thixo)
if(BUILD_SHARED_LIBS)
  # A library of the program alone: in a folder of its own, where no other program looks.
  install(TARGETS thixo_program LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/thixo)
  file(RELATIVE_PATH libraries /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(thixo PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries}/thixo")
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
