#pragma once

#include <array>

#include "scene/rule.h"
#include "scene/scene.h"

/// Part of the table of the scene format (describe.h): the names of enumerations.
namespace thixo {

constexpr auto choices(Tag<Lattice>) {
    return std::array{
        Choice<Lattice>{"cubic", Lattice::cubic,
                        "on the corners of a grid; rests against walls from the start"},
        Choice<Lattice>{
            "closest", Lattice::closest,
            "cubic closest packed in 3D, hexagonal in 2D; between walls it sinks a little at first"},
        Choice<Lattice>{
            "layered_hexagonal", Lattice::layered_hexagonal,
            "as dense as `closest`, in level hexagonal layers that lie flat on a floor; in 2D the "
            "same as `closest`"}};
}

constexpr auto choices(Tag<Phase>) {
    return std::array{Choice<Phase>{"liquid", Phase::liquid, "flows"},
                      Choice<Phase>{"elastic", Phase::elastic, "returns to its shape"},
                      Choice<Phase>{"rigid", Phase::rigid, "keeps its shape"}};
}

constexpr auto choices(Tag<ColdState>) {
    return std::array{Choice<ColdState>{"elastic", ColdState::elastic, "at its full stiffness"},
                      Choice<ColdState>{"rigid", ColdState::rigid, "does not deform at all"}};
}

constexpr auto choices(Tag<PressureMethod>) {
    using enum PressureMethod;
    return std::array{
        Choice<PressureMethod>{"state_equation", state_equation,
                               "proportional to the compression, with the material's speed of sound"},
        Choice<PressureMethod>{"tait", tait,
                               "stiffens with the seventh power of the density; same speed of sound at rest"},
        Choice<PressureMethod>{
            "dfsph", dfsph,
            "incompressible: solved for in each step, which the flow limits and not sound; for "
            "`summation`"}};
}

constexpr auto choices(Tag<DensityMethod>) {
    return std::array{
        Choice<DensityMethod>{"summation", DensityMethod::summation,
                              "summed over the neighbours in each step"},
        Choice<DensityMethod>{
            "continuity", DensityMethod::continuity,
            "advanced by the velocities around; free surfaces keep their density, errors add up"}};
}

constexpr auto choices(Tag<ViscosityMethod>) {
    using enum ViscosityMethod;
    return std::array{Choice<ViscosityMethod>{"laplacian", laplacian,
                                              "Laplacian of the velocity with the material's viscosity"},
                      Choice<ViscosityMethod>{
                          "artificial", artificial,
                          "slows particles that approach each other, by the material's artificial_viscosity"},
                      Choice<ViscosityMethod>{
                          "implicit", implicit,
                          "solved for with the material's viscosity; for honey and lava, any time step"}};
}

constexpr auto choices(Tag<ElasticIntegrator>) {
    using enum ElasticIntegrator;
    return std::array{
        Choice<ElasticIntegrator>{"explicit", leapfrog,
                                  "by the forces of each step; the elastic wave limits its length"},
        Choice<ElasticIntegrator>{
            "implicit", implicit,
            "solved for in each step, which the elastic wave does not limit; vibrations that "
            "are faster than the step are damped"}};
}

constexpr auto choices(Tag<TimeStepMethod>) {
    return std::array{
        Choice<TimeStepMethod>{"global", TimeStepMethod::global, "one time step for all particles"},
        Choice<TimeStepMethod>{
            "individual", TimeStepMethod::individual,
            "each particle takes the longest step that is stable for it; solids take the same. For "
            "`continuity`, with `tait` or `state_equation`"}};
}

constexpr auto choices(Tag<KernelName>) {
    using enum KernelName;
    return std::array{Choice<KernelName>{"spiky", spiky, "(1 − q)³, steep at the centre"},
                      Choice<KernelName>{"poly6", poly6, "(1 − q²)³, flat at the centre"},
                      Choice<KernelName>{"cubic_spline", cubic_spline, "the classical M4 spline"},
                      Choice<KernelName>{"wendland_c2", wendland_c2, "does not let particles pair up"},
                      Choice<KernelName>{"cosine", cosine, "1 − sin(πq/2)"}};
}

constexpr auto choices(Tag<SolidModel>) {
    using enum SolidModel;
    return std::array{
        Choice<SolidModel>{"corrected", corrected,
                           "corrected gradients, turned by the rotation of the deformation: keeps energy and "
                           "angular momentum"},
        Choice<SolidModel>{"corotated", corotated,
                           "Becker et al. 2009: SPH gradients, turned with each neighbourhood"},
        Choice<SolidModel>{"mls", mls, "moving least squares, turned with each neighbourhood"},
        Choice<SolidModel>{
            "green", green,
            "Solenthaler et al. 2007: SPH gradients, not turned; bodies that rotate feel false forces"},
        Choice<SolidModel>{
            "lattice", lattice,
            "Wicke et al. 2006: particles hold on to whoever is where their crystal lattice "
            "wants a neighbour; bends, flows and cracks without a memory of who was next to whom"}};
}

constexpr auto choices(Tag<StrainMeasure>) {
    return std::array{
        Choice<StrainMeasure>{"linear", StrainMeasure::linear, "Cauchy's, of the deformation turned back"},
        Choice<StrainMeasure>{"green", StrainMeasure::green, "½ (JᵀJ − I)"}};
}

constexpr auto choices(Tag<PhaseTransition>) {
    using enum PhaseTransition;
    return std::array{Choice<PhaseTransition>{"sudden", sudden, "as soon as its temperature says so"},
                      Choice<PhaseTransition>{
                          "stochastic", stochastic,
                          "Wicke et al. 2006: by chance, the sooner the farther it is beyond its melting or "
                          "freezing point, and the more solid neighbours there are to freeze to"}};
}

constexpr auto choices(Tag<SurfaceMethod>) {
    using enum SurfaceMethod;
    return std::array{
        Choice<SurfaceMethod>{
            "anisotropic", anisotropic,
            "Yu & Turk 2013: kernels stretched along the surface; flat surfaces are even, sheets thin"},
        Choice<SurfaceMethod>{"density", density,
                              "where the density is half of what it is inside; the quickest"},
        Choice<SurfaceMethod>{"zhu_bridson", zhu_bridson,
                              "Zhu & Bridson 2005: distance to the mean of the centres around"},
        Choice<SurfaceMethod>{"solenthaler", solenthaler,
                              "Solenthaler et al. 2007: the same, without false surfaces between particles"}};
}

constexpr auto choices(Tag<SurfaceGrouping>) {
    using enum SurfaceGrouping;
    return std::array{Choice<SurfaceGrouping>{"all", all, "one surface around everything"},
                      Choice<SurfaceGrouping>{"material", material, "one for each material"},
                      Choice<SurfaceGrouping>{"phase", phase, "one for each phase"},
                      Choice<SurfaceGrouping>{"body", body, "one for each body, and one for the liquid"}};
}

constexpr auto choices(Tag<MeshFormat>) {
    return std::array{
        Choice<MeshFormat>{"ply", MeshFormat::ply, "binary PLY with normals and attributes"},
        Choice<MeshFormat>{"obj", MeshFormat::obj, "text, with normals"},
        Choice<MeshFormat>{"vtp", MeshFormat::vtp, "for ParaView, with normals and attributes"}};
}

constexpr auto choices(Tag<ParticleFormat>) {
    return std::array{Choice<ParticleFormat>{"ply", ParticleFormat::ply, "binary PLY"},
                      Choice<ParticleFormat>{"vtu", ParticleFormat::vtu, "for ParaView"},
                      Choice<ParticleFormat>{"bgeo", ParticleFormat::bgeo, "for Houdini"}};
}

constexpr auto choices(Tag<Interpolation>) {
    return std::array{
        Choice<Interpolation>{"linear", Interpolation::linear, "constant speed between keyframes"},
        Choice<Interpolation>{"smooth", Interpolation::smooth,
                              "speed does not jump (Catmull-Rom); rests at the ends unless it repeats"}};
}

}  // namespace thixo
