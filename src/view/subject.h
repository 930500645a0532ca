#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"
#include "sim/event.h"
#include "view/wire.h"

namespace thixo {

/// A ray from a page's camera through its cursor.
struct PickRay {
    Vec3d origin, direction;  ///< m; of length 1
    /// Of the page's clip plane: particles whose centre x has dot(clip_normal, x) > clip_offset are not
    /// shown. Zero: there is none.
    Vec3d clip_normal{};
    double clip_offset = 0;  ///< m
};

/// What pages look at: a simulation while it runs, or one that was saved. All functions are called from one
/// thread.
class Subject {
public:
    virtual ~Subject() = default;

    virtual const Scene& scene() const = 0;
    /// With the gravity and the constants of this moment, which actions change.
    virtual const Model& model() const { return scene().model; }
    virtual bool live() const = 0;
    virtual long last_frame() const = 0;  ///< of the scene, or of what was saved

    /// Goes on by one step, or one frame of those that were saved. Returns false at the end.
    virtual bool advance() = 0;
    virtual double time() const = 0;  ///< s
    /// Counts up whenever something looks different.
    virtual std::uint64_t version() const = 0;

    /// Attributes to colour by. The first is the one to begin with.
    virtual std::vector<std::string> attributes() const = 0;
    /// Replaces `shown`, whose memory is used again.
    virtual void show(const std::string& attribute, ShownParticles& shown) const = 0;
    /// Surfaces and skins where they were saved, as "TXM1" (a mesh without triangles where none was); `shown`
    /// has what the particles show.
    virtual std::string mesh(const std::string& attribute, const ShownParticles& shown) const;
    virtual bool has_meshes() const { return false; }
    /// Units of attributes, where they have one.
    virtual std::string unit(const std::string& attribute) const = 0;

    /// What is under the cursor, as JSON; `null` if nothing is.
    virtual std::string pick(const PickRay& ray) const = 0;
    /// The ledger from a row on: {"columns": […], "rows": [[…], …]}, as JSON.
    virtual std::string ledger(std::size_t from) const = 0;
    virtual std::size_t ledger_rows() const = 0;

    // Of one kind of subject alone; the other throws an InputError.
    virtual void act(const Action& action);
    virtual void restart();
    virtual void seek(long frame);
};

}  // namespace thixo
