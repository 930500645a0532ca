// The extension module thixo._thixo: what needs C++ of the Python package. src/python/thixo/ makes it
// pleasant to use.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <omp.h>

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <thixo/version.h>

#include "api/run.h"
#include "core/error.h"
#include "python/arrays.h"
#include "python/column_buffer.h"
#include "scene/events_file.h"
#include "scene/scene_file.h"

namespace py = pybind11;

namespace thixo {

namespace {

/// A run and the buffers that lead into its columns. While NumPy holds one of them, the run does not go on:
/// its rows would be sorted or moved behind NumPy's back.
class PythonRun {
public:
    explicit PythonRun(Run run) : run_(std::move(run)), state_(std::make_shared<BufferState>()) {}

    /// Where the run was when it last had come to an end of a step, or a frame, that was requested: can
    /// be read at any time.
    struct Progress {
        double time = 0;
        std::uint64_t steps = 0, frame = 0;
        bool done = false;
    };
    Progress progress() const {
        if (state_->elsewhere()) return progress_;
        return {run_.time(), run_.steps(), run_.frame(), run_.done()};
    }
    const Scene& scene() const { return run_.scene(); }
    std::uint64_t generation() const { return state_->generation; }

    /// The run, to be read with the interpreter's lock, or without it while a Reading exists.
    Run& run() {
        if (state_->elsewhere())
            throw std::runtime_error(
                "another thread goes on with this run; time, steps, frame and done can be read meanwhile, "
                "all "
                "else before or after");
        return run_;
    }
    class Reading {
    public:
        explicit Reading(PythonRun& of) : run(of.run()), state_(of.state_) { ++state_->readers; }
        ~Reading() { --state_->readers; }
        Reading(const Reading&) = delete;
        Reading& operator=(const Reading&) = delete;

        Run& run;

    private:
        std::shared_ptr<BufferState> state_;
    };

    template <class Action>
    auto go_on(const Action& action) {
        if (state_->inside_here()) throw py::value_error("a run cannot go on from within its own push");
        if (state_->busy || state_->readers > 0)
            throw std::runtime_error("another thread uses this run, which goes on in one thread at a time");
        if (state_->exported > 0)
            throw py::buffer_error(
                "NumPy arrays still refer to particles of this run, whose rows the next step moves; delete "
                "them, or make "
                "copies: numpy.array(run.position)");
        ++state_->generation;
        progress_ = progress();
        struct Busy {
            BufferState& of;
            explicit Busy(BufferState& state) : of(state) {
                of.busy = true;
                of.thread = std::this_thread::get_id();
            }
            ~Busy() { of.busy = false; }
        } busy(*state_);
        // Destroyed before `busy`, so that flags change with the lock alone.
        const py::gil_scoped_release unlocked;
        return action(run_);
    }

    ColumnBuffer column(const std::string& name) {
        const Columns c = run().columns();
        const auto buffer = [&](const auto& values, bool writable = false) {
            return ColumnBuffer(state_, values, writable);
        };
        if (name == "id") return buffer(c.id);
        if (name == "position") return buffer(c.position);
        if (name == "velocity") return buffer(std::span<const Vec3f>(run_.velocities()), true);
        if (name == "mass") return buffer(c.mass);
        if (name == "radius") return buffer(c.radius);
        if (name == "density") return buffer(c.density);
        if (name == "pressure") return buffer(c.pressure);
        if (name == "temperature") return buffer(c.temperature);
        if (name == "phase") return buffer(c.phase);
        if (name == "material") return buffer(c.material);
        if (name == "object") return buffer(c.object);
        if (name == "body") return buffer(c.body);
        throw py::attribute_error("particles have no column \"" + name + "\"");
    }

    /// `push(time)` returns accelerations, one for each row, or None.
    void set_push(std::optional<py::function> push) {
        // The run holds the function while it calls it.
        if (state_->inside_here()) throw py::value_error("a push cannot be exchanged from within itself");
        if (!push) return run().set_push({});
        // Shared, because the function is copied without the interpreter's lock.
        const auto shared =
            std::shared_ptr<py::function>(new py::function(std::move(*push)), [](py::function* function) {
                const py::gil_scoped_acquire locked;
                delete function;
            });
        run().set_push([shared, state = state_](const Columns& columns, double time, std::span<Vec3f> add) {
            const py::gil_scoped_acquire locked;
            ++state->generation;
            state->inside = true;
            struct Leave {
                BufferState& of;
                ~Leave() {
                    of.inside = false;
                    ++of.generation;
                }
            } leave{*state};
            const py::object result = (*shared)(time);
            if (result.is_none()) return;
            const auto values = py::array_t<float, py::array::c_style | py::array::forcecast>::ensure(result);
            if (!values || values.ndim() != 2 ||
                values.shape(0) != static_cast<py::ssize_t>(columns.size()) || values.shape(1) != 3)
                throw py::value_error("a push returns an array of shape (particles, 3), or None");
            const auto a = values.unchecked<2>();
            for (std::size_t i = 0; i < add.size(); ++i) {
                const auto row = static_cast<py::ssize_t>(i);
                add[i] += Vec3f{a(row, 0), a(row, 1), a(row, 2)};
            }
            if (state->exported > 0)
                throw py::buffer_error(
                    "a push must not keep arrays of columns beyond its return; make copies");
        });
    }

private:
    Run run_;
    std::shared_ptr<BufferState> state_;
    Progress progress_;
};

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Bytes = py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast>;

std::size_t add_liquid(PythonRun& self, const std::string& material, const Doubles& positions,
                       const Vec3d& velocity, double temperature) {
    if (positions.ndim() != 2 || positions.shape(1) != 3)
        throw py::value_error("positions have the shape (particles, 3)");
    std::vector<Vec3d> points;
    const auto x = positions.unchecked<2>();
    for (py::ssize_t i = 0; i < x.shape(0); ++i) points.push_back({x(i, 0), x(i, 1), x(i, 2)});
    return self.go_on([&](Run& run) {
        return run.add_liquid(
            {.material = material, .positions = points, .velocity = velocity, .temperature = temperature});
    });
}

py::dict ledger(const Statistics& s) {
    const auto tuple = [](const Vec3d& a) { return py::make_tuple(a.x, a.y, a.z); };
    using namespace py::literals;
    return py::dict(
        "frame"_a = s.frame, "time"_a = s.time, "steps"_a = s.steps, "particles"_a = s.particles,
        "liquid"_a = s.liquid, "elastic"_a = s.elastic, "rigid"_a = s.rigid, "bodies"_a = s.bodies,
        "mass"_a = s.mass, "momentum"_a = tuple(s.momentum), "angular_momentum"_a = tuple(s.angular_momentum),
        "kinetic"_a = s.kinetic, "potential"_a = s.potential, "elastic_energy"_a = s.elastic_energy,
        "heat"_a = s.heat, "t_min"_a = s.t_min, "t_mean"_a = s.t_mean, "t_max"_a = s.t_max,
        "density_error"_a = s.density_error, "solid_density_error"_a = s.solid_density_error,
        "dt_min"_a = s.dt_min, "dt_max"_a = s.dt_max, "neighbours"_a = s.neighbours, "hash"_a = s.hash);
}

/// What a run warns of is a RuntimeWarning, which a program may turn into an error.
void warn(const std::string& text) {
    const py::gil_scoped_acquire locked;
    constexpr std::string_view head = "warning: ";
    const std::string plain = text.starts_with(head) ? text.substr(head.size()) : text;
    if (PyErr_WarnEx(PyExc_RuntimeWarning, plain.c_str(), 2) != 0) throw py::error_already_set();
}

RunSettings settings_of(int threads, const std::string& events, const Scene* scene) {
    RunSettings settings{.threads = threads, .warn = warn};
    if (scene) settings.events = parse_events(events, "events", *scene);
    return settings;
}

/// Steps to the end of the next frame. Ctrl-C, and other signals that a program handles, end it between two
/// steps: it may go on later.
void advance_frame(Run& run) {
    using Clock = std::chrono::steady_clock;
    // Other threads may hold the interpreter's lock for 5 ms.
    constexpr auto patience = std::chrono::milliseconds(100);
    Clock::time_point last = Clock::now();
    run.advance_frame([&] {
        if (Clock::now() - last < patience) return false;
        const py::gil_scoped_acquire locked;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        last = Clock::now();
        return false;
    });
}

Vec3d vector_of(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

}  // namespace

PYBIND11_MODULE(_thixo, m) {
    m.attr("__version__") = std::string(build_info().version);
    py::register_exception<InputError>(m, "InputError", PyExc_ValueError);
    py::register_exception<RunError>(m, "RunError", PyExc_RuntimeError);

    // A forked process has the memory of OpenMP's threads, but not the threads, and would wait for them.
    m.def("end_threads", [] { omp_pause_resource_all(omp_pause_hard); });

    py::class_<ColumnBuffer>(m, "ColumnBuffer", py::buffer_protocol(), py::custom_type_setup(count_exports))
        .def_property_readonly("stale", &ColumnBuffer::stale)
        .def_property_readonly("generation", &ColumnBuffer::generation);

    py::class_<Scene>(m, "Scene").def("to_json", [](const Scene& scene) { return to_json(scene); });
    m.def("load_scene", [](const std::filesystem::path& file, const std::vector<std::string>& overrides) {
        return load_scene(file, overrides);
    });
    m.def("parse_scene",
          [](const std::string& text, const std::string& name, const std::vector<std::string>& overrides) {
              return parse_scene(text, name, overrides);
          });
    m.def("schema", [] { return json_schema(); });

    py::class_<PythonRun>(m, "Run")
        .def(py::init([](const Scene& scene, int threads, const std::string& events) {
            const py::gil_scoped_release unlocked;
            return std::make_unique<PythonRun>(Run(scene, settings_of(threads, events, &scene)));
        }))
        .def_static("resume",
                    [](const std::filesystem::path& checkpoint, int threads, const std::string& events,
                       const std::optional<Scene>& scene) {
                        const py::gil_scoped_release unlocked;
                        return std::make_unique<PythonRun>(
                            Run::resume(checkpoint, settings_of(threads, events, scene ? &*scene : nullptr)));
                    })
        .def_property_readonly("scene_json", [](PythonRun& self) { return to_json(self.scene()); })
        .def_property_readonly("time", [](PythonRun& self) { return self.progress().time; })
        .def_property_readonly("steps", [](PythonRun& self) { return self.progress().steps; })
        .def_property_readonly("frame", [](PythonRun& self) { return self.progress().frame; })
        .def_property_readonly("done", [](PythonRun& self) { return self.progress().done; })
        .def_property_readonly("hash", [](PythonRun& self) { return self.run().hash(); })
        .def_property_readonly("step_limit", [](PythonRun& self) { return self.run().step_limit(); })
        .def_property_readonly("generation", &PythonRun::generation)
        .def("statistics", [](PythonRun& self) { return ledger(self.run().statistics()); })
        .def("column", &PythonRun::column)
        .def("__len__", [](PythonRun& self) { return self.run().columns().size(); })
        .def("step", [](PythonRun& self, double end) { self.go_on([&](Run& run) { run.step(end); }); })
        .def("advance_frame", [](PythonRun& self) { self.go_on(advance_frame); })
        .def("set_push", &PythonRun::set_push)
        .def("add_heat",
             [](PythonRun& self, const Doubles& joules) {
                 self.go_on([&](Run& run) {
                     run.add_heat({joules.data(), static_cast<std::size_t>(joules.size())});
                 });
             })
        .def("add_liquid",
             [](PythonRun& self, const std::string& material, const Doubles& positions,
                const std::array<double, 3>& velocity, double temperature) {
                 return add_liquid(self, material, positions, vector_of(velocity), temperature);
             })
        .def("remove_liquid",
             [](PythonRun& self, const Bytes& marked) {
                 self.go_on([&](Run& run) {
                     run.remove_liquid({marked.data(), static_cast<std::size_t>(marked.size())});
                 });
             })
        .def("act",
             [](PythonRun& self, const std::string& action) {
                 const Action parsed = parse_action(action);
                 self.go_on([&](Run& run) { run.apply(parsed); });
             })
        .def_property_readonly("events",
                               [](PythonRun& self) {
                                   std::string lines;
                                   for (const Event& event : self.run().events())
                                       lines += to_json(event) + '\n';
                                   return lines;
                               })
        .def("surface",
             [](PythonRun& self, const std::string& method, double resolution, int smooth) {
                 return surface_arrays(PythonRun::Reading(self).run, method, resolution, smooth);
             })
        .def("picture",
             [](PythonRun& self, int width, int height, const std::string& colour_by) {
                 return picture_array(PythonRun::Reading(self).run, width, height, colour_by);
             })
        .def("write_particles",
             [](PythonRun& self, const std::filesystem::path& file) { self.run().write_particles(file); })
        .def("save_checkpoint",
             [](PythonRun& self, const std::filesystem::path& file) { self.run().save_checkpoint(file); });
}

}  // namespace thixo
