#pragma once

#include <memory>
#include <string>

namespace thixo {

class MeshSequence;

/// A mesh that deforms as a sequence of files shows it. The shape's own file is the first; the number at the end of its name counts up
/// to that of the last. All files have the same faces.
struct MeshAnimation {
    std::string last_file;   ///< OBJ, PLY or STL
    double frame_rate = 24;  ///< files per second
    double start = 0;        ///< s; before it the first file is shown
    bool repeat = false;     ///< from the last file the mesh deforms back to the first, within one frame
    std::shared_ptr<const MeshSequence> sequence = {};  ///< content of the files; null until they are loaded
};

}  // namespace thixo
