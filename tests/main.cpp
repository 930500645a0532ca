// The main function of every test program, compiled once.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "repository.h"

namespace thixo::test {

std::filesystem::path repository() { return THIXO_REPOSITORY; }

}  // namespace thixo::test
