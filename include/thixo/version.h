#pragma once

#include <string>
#include <string_view>

#include "thixo/core/export.h"

namespace thixo {

/// What was built, from which commit, by what, for which processors.
struct BuildInfo {
    std::string_view version;  ///< "0.1.0"
    std::string_view
        commit;  ///< "a8f7011c0f2d", with "+" where files were changed since; "unknown" without git
    std::string_view compiler;   ///< "GNU 12.2.0"
    std::string_view processor;  ///< -march: "native", "x86-64", "x86-64-v3"

    /// "thixo 0.1.0, commit a8f7011c0f2d", for files that it writes
    std::string name() const { return "thixo " + std::string(version) + ", commit " + std::string(commit); }
};

/// Of the library that is loaded, not of the headers that a program was compiled with.
THIXO_API const BuildInfo& build_info();

}  // namespace thixo
