#pragma once

#include <vector>

namespace thixo {

enum class SurfaceMethod {
    density,      ///< iso-surface of the summed kernels
    zhu_bridson,  ///< distance to the weighted mean of the centres [Zhu & Bridson 2005]
    solenthaler,  ///< the same, without false surfaces between particles [SSP07, eq. 22–26]
    anisotropic,  ///< kernels stretched along the surface [Yu & Turk 2013]
    active,       ///< a surface with tension that follows the density from frame to frame [DC99, sec. 6]
};

/// Which particles share a surface.
enum class SurfaceGrouping {
    all,       ///< one surface around everything
    material,  ///< one for each material
    phase,     ///< one for the liquid, one for elastic, one for rigid matter
    body,      ///< one for each body and one for the liquid; numbers are those of `bodies.csv`
};

enum class MeshFormat {
    ply,
    obj,
    vtp,
    vdb,  ///< the field instead of the mesh; where the program was built with OpenVDB
};

struct SurfaceSettings {
    SurfaceMethod method = SurfaceMethod::anisotropic;
    double resolution = 1;     ///< edge of a grid cell, in radii of the smallest particles
    int smooth = 0;            ///< steps of smoothing
    bool match_volume = true;  ///< shift the iso-value until the mesh encloses the volume of the particles
    double specks = 0;         ///< components of less volume are dropped, in volumes of the smallest particle
    double slivers = 0;        ///< shorter edges are collapsed, in cells
    bool keep_field = false;   ///< hand back the field as well
};

/// What is written of each frame.
struct SurfaceOutput {
    SurfaceSettings settings = {};
    SurfaceGrouping by = SurfaceGrouping::all;
    bool rest = false;  ///< vertices carry where their matter was at the start, or where it froze
    std::vector<MeshFormat> formats{MeshFormat::ply};
    bool skins = true;  ///< objects with a skin are shown by it
};

}  // namespace thixo
