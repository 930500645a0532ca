// One line per particle attribute: the only place where one is declared. The table's columns, sorting,
// checkpoints, the state hash, exporters and `thixo info` follow from this list.
// No include guard: the includer defines THIXO_FIELD(type, name, unit, initial, meaning).

THIXO_FIELD(std::uint32_t, id, "", 0, "stable number of the particle")
THIXO_FIELD(Vec3f, position, "m", {}, "x")
THIXO_FIELD(Vec3f, position_low, "m", {},
            "what single precision cuts off from x, while it has an elastic index")
THIXO_FIELD(Vec3f, velocity, "m/s", {}, "v, half a step behind the position (leapfrog)")
THIXO_FIELD(float, mass, "kg", 0, "m; in 2D per metre of depth")
THIXO_FIELD(float, radius, "m", 0, "half the spacing this particle was sampled with")
THIXO_FIELD(float, density, "kg/m3", 0, "rho")
THIXO_FIELD(float, pressure, "Pa", 0, "p")
THIXO_FIELD(float, temperature, "degC", 20, "T")
THIXO_FIELD(float, latent, "J/kg", 0, "latent heat taken up so far")
THIXO_FIELD(float, heat_low, "J/kg", 0, "what rounding left of the heat: h = cT + latent + this")
THIXO_FIELD(Phase, phase, "", Phase::liquid, "0 liquid, 1 elastic, 2 rigid")
THIXO_FIELD(std::uint16_t, material, "", 0, "index into the scene's materials")
THIXO_FIELD(std::uint16_t, object, "", 0, "index into the scene's objects")
THIXO_FIELD(std::uint16_t, kinematic_id, "", 0, "number of its prescribed motion, from 1; 0 while it is free")
THIXO_FIELD(std::uint32_t, body, "", 0, "number of the connected solid; 0 for none")
THIXO_FIELD(std::uint32_t, rigid_cluster, "", 0, "number of its rigid cluster; 0 for none")
THIXO_FIELD(std::uint32_t, elastic_index, "", no_index,
            "number among the particles of elastic bodies; 4294967295 for none")
THIXO_FIELD(std::uint32_t, lattice_index, "", no_index,
            "number among the particles of lattice solids; 4294967295 for none")
THIXO_FIELD(float, contact_slack, "", 0,
            "of a solid: by how much walls and other solids exceed the room beside its body at the start")
THIXO_FIELD(std::uint16_t, rim, "", 0, "lattice points around it that cracks took from it")
THIXO_FIELD(float, last_step, "s", 0, "length of its last step, with block time steps")
