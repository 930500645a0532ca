#pragma once

#include <filesystem>

namespace thixo::test {

/// The root of the source tree: scenes and meshes that tests read lie below it.
std::filesystem::path repository();

}  // namespace thixo::test
