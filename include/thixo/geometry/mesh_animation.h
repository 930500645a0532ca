#pragma once

#include <memory>
#include <string>

namespace thixo {

class MeshSequence;

/// A mesh that deforms as a sequence of files shows it: the shape's own file is the first, and the number at
/// the end of its name counts up to that of the last; all have the same faces. Or as a glTF file animates it,
/// which is sampled as a sequence.
struct MeshAnimation {
    std::string last_file;   ///< OBJ, PLY or STL; empty: the shape's own file is glTF
    double frame_rate = 24;  ///< meshes per second
    double start = 0;        ///< s; before it the first mesh is shown
    bool repeat = false;     ///< from the last mesh it deforms back to the first, within one frame
    std::shared_ptr<const MeshSequence> sequence = {};  ///< the meshes; null until they are loaded
    std::string clip = {};  ///< name of the animation of a glTF file; empty: its first
};

}  // namespace thixo
