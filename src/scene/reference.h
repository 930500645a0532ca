#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thixo {

/// A page of the reference of scene files.
struct ReferencePage {
    std::string file;  ///< below docs/
    std::string text;  ///< Markdown
};

/// docs/scene.md with the keys of the top level, and a page in docs/scene/ for each topic.
std::vector<ReferencePage> scene_reference_pages();

/// What is shown of a part of the format in a scene.
struct ReferenceExample {
    std::string_view section;  ///< path of the section, or kind of a shape or opening
    std::string_view text;     ///< members of a scene, or for a kind the shape or opening itself
};

std::span<const ReferenceExample> scene_examples();  ///< of sections
std::span<const ReferenceExample> shape_examples();  ///< of kinds of shapes
std::span<const ReferenceExample> opening_examples();

}  // namespace thixo
