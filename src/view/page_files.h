#pragma once

#include <span>
#include <string_view>

namespace thixo {

/// The page of the viewer, built from web/ and kept in the program.
struct PageFile {
    std::string_view name, contents;
};
std::span<const PageFile> page_files();

}  // namespace thixo
