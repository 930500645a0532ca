#pragma once

#include <array>

#include "elastic/elastic_models.h"
#include "fluid/pressure_methods.h"
#include "io/particle_formats.h"
#include "scene/rule.h"
#include "scene/scene.h"

/// Part of the table of the scene format (describe.h): the names of enumerations.
namespace thixo {

constexpr auto choices(Tag<Lattice>) {
    return std::array{
        Choice<Lattice>{"cubic", Lattice::cubic, "simple cubic; rests against flat walls from the start"},
        Choice<Lattice>{
            "closest", Lattice::closest,
            "face-centred cubic in 3D, hexagonal in 2D; between walls it settles a little at first"},
        Choice<Lattice>{"layered_hexagonal", Lattice::layered_hexagonal,
                        "as dense as `closest`, in horizontal hexagonal layers that lie flat on a floor; in "
                        "2D the same as `closest`"}};
}

constexpr auto choices(Tag<Phase>) {
    return std::array{Choice<Phase>{"liquid", Phase::liquid, "flows"},
                      Choice<Phase>{"elastic", Phase::elastic, "returns to its shape"},
                      Choice<Phase>{"rigid", Phase::rigid, "keeps its shape"}};
}

constexpr auto choices(Tag<FieldKind>) {
    using enum FieldKind;
    return std::array{
        Choice<FieldKind>{"wind", wind, "drag of moving air on the free surfaces of liquids and solids"},
        Choice<FieldKind>{"point", point, "towards `center`"},
        Choice<FieldKind>{"line", line, "towards the line through `center` along `axis`"},
        Choice<FieldKind>{"vortex", vortex, "around that line, counter-clockwise seen against `axis`"},
        Choice<FieldKind>{"damping", damping, "against the velocity"}};
}

constexpr auto choices(Tag<ProbeKind>) {
    using enum ProbeKind;
    return std::array{
        Choice<ProbeKind>{"level", level, "height of a liquid above or below `at`"},
        Choice<ProbeKind>{"front", front, "how far a liquid has come along `direction`"},
        Choice<ProbeKind>{"point", point, "pressure, density, temperature and velocity at `at`"},
        Choice<ProbeKind>{"flow", flow, "volume and mass per second through a rectangle"},
        Choice<ProbeKind>{"force", force,
                          "force and torque on an obstacle, or of what holds an object, or of a grab"},
        Choice<ProbeKind>{"body", body, "mass, centre, pose, momentum and spin of an object's solid matter"}};
}

constexpr auto choices(Tag<ColdState>) {
    return std::array{Choice<ColdState>{"elastic", ColdState::elastic, "at its full stiffness"},
                      Choice<ColdState>{"rigid", ColdState::rigid, "does not deform at all"}};
}

constexpr auto choices(Tag<SolverPreset>) {
    using enum SolverPreset;
    return std::array{Choice<SolverPreset>{"accurate", accurate, "the defaults of the keys below"},
                      Choice<SolverPreset>{"fast", fast,
                                           "for previews: `dfsph`, `implicit` viscosity and `implicit` "
                                           "elasticity where the scene allows them, and "
                                           "tolerances ten times as large, so that the flow limits the time "
                                           "step, not sound or elastic waves"}};
}

/// As listed in fluid/pressure_methods.h.
constexpr auto choices(Tag<PressureMethod>) {
    std::array<Choice<PressureMethod>, pressure_methods.size()> out{};
    for (std::size_t k = 0; k < out.size(); ++k)
        out[k] = {pressure_methods[k].name, pressure_methods[k].method, pressure_methods[k].help};
    return out;
}

constexpr auto choices(Tag<DensityMethod>) {
    return std::array{
        Choice<DensityMethod>{"summation", DensityMethod::summation, "sum over the neighbours in each step"},
        Choice<DensityMethod>{"continuity", DensityMethod::continuity,
                              "continuity equation, integrated in time; free surfaces keep their density, "
                              "but errors accumulate"}};
}

constexpr auto choices(Tag<ViscosityMethod>) {
    using enum ViscosityMethod;
    return std::array{
        Choice<ViscosityMethod>{"laplacian", laplacian,
                                "Laplacian of the velocity, with the material's `viscosity`; explicit"},
        Choice<ViscosityMethod>{
            "artificial", artificial,
            "damps the approach of particles, with the material's `artificial_viscosity`"},
        Choice<ViscosityMethod>{
            "implicit", implicit,
            "implicit, with the material's `viscosity`; for honey and lava; does not limit the time step"}};
}

constexpr auto choices(Tag<ElasticIntegrator>) {
    using enum ElasticIntegrator;
    return std::array{Choice<ElasticIntegrator>{"explicit", leapfrog,
                                                "explicit (leapfrog); the elastic wave limits the time step"},
                      Choice<ElasticIntegrator>{"implicit", implicit,
                                                "implicit; the elastic wave does not limit the time step; "
                                                "vibrations faster than the step are damped"}};
}

constexpr auto choices(Tag<TimeStepMethod>) {
    return std::array{
        Choice<TimeStepMethod>{"global", TimeStepMethod::global, "one time step for all particles"},
        Choice<TimeStepMethod>{
            "individual", TimeStepMethod::individual,
            "block time steps: each particle takes the longest stable step that is a power of two of the "
            "shortest; all solids share one step. Needs `continuity` with `tait` or `state_equation`"}};
}

constexpr auto choices(Tag<KernelName>) {
    using enum KernelName;
    return std::array{
        Choice<KernelName>{"spiky", spiky, "(1 − q)³, steep at the centre"},
        Choice<KernelName>{"poly6", poly6, "(1 − q²)³, flat at the centre"},
        Choice<KernelName>{"cubic_spline", cubic_spline, "the classical M4 spline"},
        Choice<KernelName>{"wendland_c2", wendland_c2, "Wendland C2; particles do not form pairs"},
        Choice<KernelName>{"cosine", cosine, "1 − sin(πq/2)"}};
}

/// The elastic models, and the one that is none of them.
constexpr auto choices(Tag<SolidModel>) {
    std::array<Choice<SolidModel>, elastic_models.size() + 1> out{};
    for (std::size_t k = 0; k < elastic_models.size(); ++k)
        out[k] = {elastic_models[k].name, elastic_models[k].model, elastic_models[k].help};
    out.back() = {"lattice", SolidModel::lattice,
                  "Wicke et al. 2006: a local crystal lattice without stored connectivity; bends, "
                  "flows and cracks"};
    return out;
}

constexpr auto choices(Tag<StrainMeasure>) {
    return std::array{Choice<StrainMeasure>{"linear", StrainMeasure::linear,
                                            "infinitesimal strain of the corotated deformation"},
                      Choice<StrainMeasure>{"green", StrainMeasure::green, "Green strain ½ (JᵀJ − I)"}};
}

constexpr auto choices(Tag<PhaseTransition>) {
    using enum PhaseTransition;
    return std::array{
        Choice<PhaseTransition>{"sudden", sudden,
                                "as soon as the temperature passes the melting or freezing point"},
        Choice<PhaseTransition>{
            "stochastic", stochastic,
            "Wicke et al. 2006: at random; the probability grows with the distance from the melting or "
            "freezing point, and with the number of solid neighbours to freeze to"}};
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
                              "Solenthaler et al. 2007: the same, without false surfaces between particles"},
        Choice<SurfaceMethod>{
            "active", active,
            "Desbrun & Cani 1999: follows the density from frame to frame, with tension and "
            "kept volume; steady where particles split and merge"}};
}

constexpr auto choices(Tag<SurfaceGrouping>) {
    using enum SurfaceGrouping;
    return std::array{Choice<SurfaceGrouping>{"all", all, "one surface around everything"},
                      Choice<SurfaceGrouping>{"material", material, "one for each material"},
                      Choice<SurfaceGrouping>{"phase", phase, "one for each phase"},
                      Choice<SurfaceGrouping>{"body", body, "one for each body, and one for the liquid"}};
}

constexpr auto choices(Tag<Colouring>) {
    using enum Colouring;
    return std::array{Choice<Colouring>{"look", look, "how the materials look"},
                      Choice<Colouring>{"speed", speed, "m/s"},
                      Choice<Colouring>{"temperature", temperature, "°C"},
                      Choice<Colouring>{"density", density, "kg/m³"},
                      Choice<Colouring>{"pressure", pressure, "Pa"},
                      Choice<Colouring>{"phase", phase, "a colour for each"},
                      Choice<Colouring>{"material", material, "likewise"},
                      Choice<Colouring>{"object", object, "likewise, of objects and emitters"},
                      Choice<Colouring>{"body", body, "likewise, of connected solids"},
                      Choice<Colouring>{"radius", radius, "m"},
                      Choice<Colouring>{"mass", mass, "kg"},
                      Choice<Colouring>{"rim", rim, "missing lattice points"},
                      Choice<Colouring>{"x", x, "m"},
                      Choice<Colouring>{"y", y, "m"},
                      Choice<Colouring>{"z", z, "m"}};
}

constexpr auto choices(Tag<LookPreset>) {
    using enum LookPreset;
    return std::array{
        Choice<LookPreset>{"automatic", automatic,
                           "by the name of the material, by its phase, or else by its place in the list"},
        Choice<LookPreset>{"water", water, "clear; blue where it is deep"},
        Choice<LookPreset>{"tea", tea, "clear; brown where it is deep"},
        Choice<LookPreset>{"ice", ice, "clear, with a frosted surface and a cloudy inside"},
        Choice<LookPreset>{"glass", glass, "clear"},
        Choice<LookPreset>{"jelly", jelly, "clear and cloudy, in a strong colour"},
        Choice<LookPreset>{"wax", wax, "dense; light goes in and comes out again nearby"},
        Choice<LookPreset>{"chocolate", chocolate, "brown under a soft gloss"},
        Choice<LookPreset>{"clay", clay, "matte"},
        Choice<LookPreset>{"rubber", rubber, "matte under a faint gloss"},
        Choice<LookPreset>{"metal", metal, "polished; it glows where it is hot"},
        Choice<LookPreset>{"stone", stone, "rough and grey"},
        Choice<LookPreset>{"lava", lava, "dark crust that glows where it is hot"}};
}

constexpr auto choices(Tag<MeshFormat>) {
    return std::array{
        Choice<MeshFormat>{"ply", MeshFormat::ply, "binary PLY with normals and attributes"},
        Choice<MeshFormat>{"obj", MeshFormat::obj, "text, with normals"},
        Choice<MeshFormat>{"vtp", MeshFormat::vtp, "for ParaView, with normals and attributes"},
        Choice<MeshFormat>{"vdb", MeshFormat::vdb,
                           "the field as a level set; where Thixo is built with OpenVDB, in 3D"}};
}

constexpr auto choices(Tag<ParticleFormat>) {
    std::array<Choice<ParticleFormat>, particle_formats.size()> all{};
    for (std::size_t k = 0; k < all.size(); ++k)
        all[k] = {particle_formats[k].name, particle_formats[k].format, particle_formats[k].help};
    return all;
}

constexpr auto choices(Tag<Interpolation>) {
    return std::array{
        Choice<Interpolation>{"linear", Interpolation::linear, "constant speed between keyframes"},
        Choice<Interpolation>{
            "smooth", Interpolation::smooth,
            "continuous speed (Catmull-Rom spline); at rest at both ends unless it repeats"}};
}

}  // namespace thixo
