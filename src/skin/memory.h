#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "skin/carriers.h"
#include "skin/pace.h"

namespace thixo {

/// What a skin remembers from frame to frame, so that nothing jumps: which carriers move it and how firmly.
/// Frames are followed in their order, from the first one on; the same frames give the same bits.
///
/// A carrier leaves when it melts, is gone, is torn from its neighbours, or when its piece has fewer than
/// four carriers. It never returns: what freezes belongs to the surface of particles. For some frames the
/// skin goes on over it, while the surface of the particles grows below (`grown`, 0 to 1); then the
/// firmness of the carrier falls to 0, and the skin sinks below that surface and ends. A carrier that departs
/// from its piece loses as much firmness as it departs.
class SkinMemory {
public:
    /// `can_tear`: the matter can break or find new neighbours; otherwise only what melts or is gone leaves.
    explicit SkinMemory(const Carriers& carriers, bool can_tear = true);

    /// The next frame. `body` of each carrier; `no_body` if it is not solid or not `present`.
    void follow(const Device& device, View<const Vec3f> position, View<const int> body,
                View<const std::uint8_t> present);

    const SkinGrip& grip() const { return grip_; }
    const std::vector<AffineMotion>& motions() const { return motions_; }
    /// Positions in the frame before the one that was followed last; none if that was the first.
    const std::vector<Vec3f>& before() const { return before_; }
    bool has_left(Index i) const { return age_[i] >= 0; }
    /// The surface of particles includes the carrier: it has left, or is next to one that has, so that the
    /// surface overlaps the skin.
    bool is_shown(Index i) const { return shown_[i] != 0; }
    /// How far that surface has grown at each carrier; next to carriers that left, less by their distance.
    const std::vector<float>& grown() const { return grown_; }

private:
    void split_pieces(View<const int> body);
    std::optional<double> parted(const std::pair<int, int>& pair, View<const Vec3f> position) const;
    void leave(Index i) { age_[i] = 0; }
    void leave_small_pieces();
    std::vector<std::uint8_t> find_torn(const Device& device, View<const Vec3f> position,
                                        const std::vector<Carriers::Fit>& fits) const;
    void fit(const Device& device, View<const Vec3f> position);
    void turn_what_left(const Device& device, std::vector<CarriedMatter>& matter) const;
    void loosen(View<const Vec3f> position);
    void loosen_partings(View<const Vec3f> position);
    void grow(View<const Vec3f> position, View<const std::uint8_t> present);
    /// Spacings between a carrier and where others, of one piece, would have it.
    double departure(Index i, View<const Vec3f> position, int piece) const;

    const Carriers* carriers_;
    double torn_;
    int last_piece_ = 1;
    SkinGrip grip_;
    std::vector<int> age_;             ///< frames since the carrier left; −1: it has not
    std::vector<int> torn_for_;        ///< frames
    std::vector<float> departed_;      ///< spacings, when it left
    std::vector<Vec3f> before_, now_;  ///< positions of the last frame, and of this one
    std::vector<CarriedMatter> matter_;
    std::vector<AffineMotion> motions_;
    std::vector<float> grown_;
    std::vector<std::uint8_t> shown_;
    struct Parting {
        int age = 0;
        double offset = 0;  ///< spacings, between where a border is and where its own piece would have it
    };
    std::map<std::pair<int, int>, Parting> partings_;
};

}  // namespace thixo
