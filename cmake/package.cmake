# A Debian package; script/package builds it with libraries for two kinds of processors.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME thixo)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "Thixo <thixo@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "particle simulation of matter that melts and freezes")
set(CPACK_PACKAGE_DESCRIPTION
    "Thixo simulates liquids, elastic and rigid bodies, and what melts or freezes between them, with one particle system.
 This package has the program, the library with its headers, scenes and the schema of scene files.")
set(CPACK_PACKAGE_FILE_NAME thixo_${PROJECT_VERSION}_amd64)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg, g++, cmake")
if(TARGET thixo_python)
  # The extension is for the one version of Python that Debian 12 has.
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3 (>= 3.11), python3 (<< 3.12), python3-numpy")
endif()
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib ${PROJECT_BINARY_DIR}/apps/thixo)
# So that the loader's cache has the libraries.
file(WRITE ${PROJECT_BINARY_DIR}/package/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/package/triggers)
# Notices of what is compiled in, which go with binaries (docs/licences.md).
install(FILES cmake/debian_copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/thixo RENAME copyright)
include(CPack)
