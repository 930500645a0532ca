#include "skin/memory.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "skin/steady.h"

namespace thixo {

namespace {

/// Frames in which the surface of the particles grows below the skin, and in which the skin then leaves. The
/// skin sinks by up to 0.75 spacings (`Skin::sink`) while the fraction of its carriers falls from 1 to ½: a
/// tenth of a spacing a frame if all of them left at once.
constexpr int growing_frames = 6, leaving_frames = 15;

/// Frames for which halves of what broke still move each other's border, and the spacings by which the border
/// comes nearer to where its own half would have it, at most.
constexpr int parting_frames = 10;
constexpr double parting_step = 0.04;

/// Firmness that is lost for each spacing that a carrier departs from its piece. The skin then sinks by no
/// more than the carrier moved: 2 × 0.6 spacings for all of it.
constexpr double looser_by_departure = 0.8;

constexpr int fewest_carriers = 4;

/// A tear parts carriers side by side: next to one that is torn, as many of those at most 1.5 spacings away
/// are torn or gone. In a plane across a cubic lattice five are, three at its end; along a line one is. A
/// single carrier that is out of place within a body, as after a blow, is no tear.
constexpr int fewest_torn = 3, fewest_torn_of_layers = 1;
constexpr double beside = 1.5;

/// A carrier is where a neighbour has it if it is nearer to that place than to any other of the lattice, in
/// spacings.
constexpr double in_place = 0.5;

/// Frames for which a tear has to be there. A blow displaces matter for one or two.
constexpr int lasting_frames = 3;

/// Matter within this distance of what left, in spacings, is included in its surface, less and less from
/// `overlap_full` on.
constexpr double overlap = 1.6, overlap_full = 0.6;

float clamped(double x) { return static_cast<float>(std::clamp(x, 0.0, 1.0)); }

}  // namespace

SkinMemory::SkinMemory(const Carriers& carriers, bool can_tear)
    : carriers_(&carriers),
      torn_(can_tear ? carriers.torn_residual() : std::numeric_limits<double>::infinity()),
      grip_(SkinGrip::of_bodies(std::vector<int>(carriers.size(), 1))),
      age_(carriers.size(), -1),
      torn_for_(carriers.size()),
      departed_(carriers.size()),
      matter_(carriers.size()),
      motions_(carriers.size()),
      grown_(carriers.size()),
      shown_(carriers.size()) {}

void SkinMemory::follow(const Device& device, View<const Vec3f> position, View<const int> body,
                        View<const std::uint8_t> present) {
    before_ = std::move(now_);
    now_.assign(position.begin(), position.end());
    for (Index i = 0; i < carriers_->size(); ++i)
        if (age_[i] >= 0) ++age_[i];
    for (Index i = 0; i < carriers_->size(); ++i) {
        if (age_[i] < 0 && body[i] == no_body) leave(i);
        // What is gone has no place to be moved from.
        if (!present[i]) grip_.firmness[i] = 0;
    }
    split_pieces(body);
    leave_small_pieces();
    fit(device, position);
    loosen(position);
    loosen_partings(position);
    grow(position, present);
    launch(device, carriers_->size(), [this](Index i) {
        if (grip_.firmness[i] > 0) motions_[i] = carriers_->motion(i, to_float(matter_[i].x), matter_[i].a);
    });
}

/// Each part of a piece that is a body by itself now is a piece; the one with the first carrier keeps the
/// number. What merges with something else stays a piece.
void SkinMemory::split_pieces(View<const int> body) {
    std::map<int, std::map<int, int>> number;  // of a piece and a body
    for (Index i = 0; i < carriers_->size(); ++i) {
        if (age_[i] >= 0) continue;
        std::map<int, int>& parts = number[grip_.piece[i]];
        if (parts.contains(body[i])) continue;
        const int piece = parts.empty() ? grip_.piece[i] : ++last_piece_;
        parts[body[i]] = piece;
    }
    std::map<int, std::vector<int>> parts_of;
    for (const auto& [piece, parts] : number)
        for (const auto& [b, part] : parts) parts_of[piece].push_back(part);
    for (const auto& [piece, parts] : parts_of) {
        if (parts.size() < 2) continue;
        // What moves with the whole moves with its parts.
        for (const auto& [pair, parting] : std::map(partings_)) {
            if (pair.first != piece && pair.second != piece) continue;
            const int other = pair.first == piece ? pair.second : pair.first;
            for (const int part : parts) {
                partings_[std::minmax(part, other)] = parting;
                grip_.coupling[std::minmax(part, other)] = grip_.coupling_of(piece, other);
            }
        }
    }
    std::vector<int> before;
    if (last_piece_ > 1) before = grip_.piece;
    for (Index i = 0; i < carriers_->size(); ++i)
        if (age_[i] < 0) grip_.piece[i] = number[grip_.piece[i]][body[i]];
    // What left stays with the part that is nearest.
    for (Index i = 0; i < carriers_->size(); ++i) {
        if (age_[i] < 0 || !(grip_.firmness[i] > 0) || parts_of[grip_.piece[i]].size() < 2) continue;
        double most = 0;
        int best = grip_.piece[i];
        carriers_->for_each_neighbour(i, [&](Index j, double w) {
            if (age_[j] < 0 && before[j] == before[i] && w > most) most = w, best = grip_.piece[j];
        });
        grip_.piece[i] = best;
    }
    // In the last frame the border was in the middle between where both would have had it; there it stays
    // beside its own half, however far the other one is now.
    for (const auto& [piece, parts] : parts_of)
        for (std::size_t a = 0; a < parts.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) {
                const std::pair<int, int> pair = std::minmax(parts[a], parts[b]);
                partings_[pair] = {-1, before_.empty() ? 0 : 0.5 * parted(pair, before_).value_or(0)};
                grip_.coupling[pair] = 1;
            }
}

void SkinMemory::leave_small_pieces() {
    std::map<int, int> count;
    for (Index i = 0; i < carriers_->size(); ++i)
        if (age_[i] < 0) ++count[grip_.piece[i]];
    for (Index i = 0; i < carriers_->size(); ++i)
        if (age_[i] < 0 && count[grip_.piece[i]] < fewest_carriers) leave(i);
}

/// Carriers whose neighbourhoods are no longer one piece of matter. At a crack most neighbours of a carrier
/// are on its own side, and still have it where it is. One that most of them do not have there is out of
/// place: it is no tear, and what it does to the fits of its neighbours is none either.
std::vector<std::uint8_t> SkinMemory::find_torn(const Device& device, View<const Vec3f> position,
                                                const std::vector<Carriers::Fit>& fits) const {
    const Index n = carriers_->size();
    std::vector<std::uint8_t> torn(n);
    for (Index i = 0; i < n; ++i) torn[i] = age_[i] < 0 && !(fits[i].residual < torn_ * torn_);
    const bool any = std::any_of(torn.begin(), torn.end(), [](std::uint8_t t) { return t != 0; });
    if (!any || carriers_->kind() != CarrierKind::solid) return torn;
    std::vector<Carriers::Fit> trusted = fits;
    std::vector<float> trust(n, 1.f), trusted_fraction(n, 1.f);
    for (int pass = 0; pass < 2; ++pass) {
        std::vector<float> next(n, 1.f);
        launch<small_grain>(device, n, [&, this](Index i) {
            if (age_[i] >= 0) return;
            double agrees = 0, sure = 0, all = 0;
            carriers_->for_each_neighbour(i, [&](Index j, double w) {
                if (age_[j] >= 0 || grip_.piece[j] != grip_.piece[i]) return;
                const Vec3d there =
                    trusted[j].a * (carriers_->rest()[i] - carriers_->rest()[j]) + to_double(position[j]);
                all += w;
                sure += w * trust[j];
                if (norm(to_double(position[i]) - there) < in_place * carriers_->spacing()) agrees += w;
            });
            next[i] = agrees < 0.5 * all ? 0.f : 1.f;
            trusted_fraction[i] = all > 0 ? static_cast<float>(sure / all) : 0.f;
        });
        trust = next;
        trusted = carriers_->fits(device, position, grip_, trust);
    }
    for (Index i = 0; i < n; ++i)
        if (torn[i] && trusted_fraction[i] >= 0.5f)
            torn[i] = trust[i] > 0 && !(trusted[i].residual < torn_ * torn_);
    return torn;
}

void SkinMemory::fit(const Device& device, View<const Vec3f> position) {
    std::vector<Carriers::Fit> fits = carriers_->fits(device, position, grip_);
    const std::vector<std::uint8_t> is_torn = find_torn(device, position, fits);
    for (Index i = 0; i < carriers_->size(); ++i) torn_for_[i] = is_torn[i] ? torn_for_[i] + 1 : 0;
    std::vector<std::uint8_t> torn(carriers_->size());
    for (Index i = 0; i < carriers_->size(); ++i) torn[i] = age_[i] >= 0 || torn_for_[i] >= lasting_frames;
    const int fewest = carriers_->kind() == CarrierKind::solid ? fewest_torn : fewest_torn_of_layers;
    const double near = carrier_weight(beside * beside, carrier_support);
    for (Index i = 0; i < carriers_->size(); ++i) {
        if (age_[i] >= 0) continue;
        int others = 0;
        if (torn[i])
            carriers_->for_each_neighbour(i,
                                          [&](Index j, double w) { others += w >= near && torn[j] ? 1 : 0; });
        if (torn[i] && others >= fewest) leave(i);
    }
    leave_small_pieces();
    std::vector<CarriedMatter> target(carriers_->size());
    std::vector<std::uint8_t> holds(carriers_->size());
    for (Index i = 0; i < carriers_->size(); ++i) holds[i] = age_[i] < 0;
    if (carriers_->kind() == CarrierKind::solid) {
        SteadyMotion steady = steady_motion(device, *carriers_, position, grip_, holds, std::move(fits));
        for (Index i = 0; i < carriers_->size(); ++i)
            target[i] = {to_double(steady.position[i]), steady.fits[i].a};
    } else {
        for (Index i = 0; i < carriers_->size(); ++i) target[i] = {to_double(position[i]), fits[i].a};
    }
    turn_what_left(device, target);
    for (Index i = 0; i < carriers_->size(); ++i) holds[i] = grip_.firmness[i] > 0;
    matter_ = before_.empty() ? std::move(target)
                              : paced(device, *carriers_, grip_, holds, before_, position, matter_, target);
}

/// What left turns with what is left of its piece, and goes on as it was where nothing is.
void SkinMemory::turn_what_left(const Device& device, std::vector<CarriedMatter>& matter) const {
    std::vector<Mat3d> next;
    for (const CarriedMatter& m : matter) next.push_back(m.a);
    launch<small_grain>(device, carriers_->size(), [this, &matter, next = View(next)](Index i) {
        if (age_[i] < 0 || !(grip_.firmness[i] > 0)) return;
        Mat3d sum{};
        double weight = 0;
        carriers_->for_each_neighbour(i, [&](Index j, double w) {
            if (age_[j] >= 0 || grip_.piece[j] != grip_.piece[i]) return;
            sum += w * matter[j].a;
            weight += w;
        });
        next[i] = weight > 0 ? (1 / weight) * sum : matter_[i].a;
    });
    for (Index i = 0; i < carriers_->size(); ++i) matter[i].a = next[i];
}

double SkinMemory::departure(Index i, View<const Vec3f> position, int piece) const {
    Vec3d sum;
    double weight = 0;
    carriers_->for_each_neighbour(i, [&](Index j, double w) {
        if (grip_.piece[j] != piece || !(grip_.firmness[j] > 0)) return;
        w *= grip_.firmness[j];
        sum += w * (to_double(position[j]) + matter_[j].a * (carriers_->rest()[i] - carriers_->rest()[j]));
        weight += w;
    });
    return weight > 0 ? norm(to_double(position[i]) - sum / weight) / carriers_->spacing() : 0;
}

void SkinMemory::loosen(View<const Vec3f> position) {
    std::vector<float> next = grip_.firmness;
    for (Index i = 0; i < carriers_->size(); ++i) {
        if (age_[i] < 0 || !(grip_.firmness[i] > 0)) continue;
        const double off = departure(i, position, grip_.piece[i]);
        if (age_[i] == 0) departed_[i] = static_cast<float>(off);
        const double left = double(std::max(0, age_[i] - growing_frames)) / leaving_frames +
                            looser_by_departure * std::max(0.0, off - departed_[i]);
        // A carrier stays where it is if its piece moves away from it, so its skin may not sink faster.
        const double moved =
            before_.empty() ? 0 : double{norm(position[i] - before_[i])} / carriers_->spacing();
        const double least = grip_.firmness[i] - 1.0 / leaving_frames - looser_by_departure * moved;
        next[i] = std::min(grip_.firmness[i], clamped(std::max(1 - left, least)));
    }
    grip_.firmness = std::move(next);
}

/// Spacings by which carriers of the second of two pieces depart from the first where they are neighbours of
/// it, at most; nothing if none is.
std::optional<double> SkinMemory::parted(const std::pair<int, int>& pair, View<const Vec3f> position) const {
    std::optional<double> most;
    for (Index i = 0; i < carriers_->size(); ++i) {
        if (grip_.piece[i] != pair.second || age_[i] >= 0) continue;
        bool is_beside = false;
        carriers_->for_each_neighbour(i, [&](Index j, double) {
            is_beside = is_beside || (grip_.piece[j] == pair.first && age_[j] < 0);
        });
        if (is_beside) most = std::max(most.value_or(0), departure(i, position, pair.first));
    }
    return most;
}

void SkinMemory::loosen_partings(View<const Vec3f> position) {
    for (auto entry = partings_.begin(); entry != partings_.end();) {
        auto& [pair, parting] = *entry;
        const std::optional<double> off = parted(pair, position);
        if (++parting.age > 0) parting.offset = std::max(0.0, parting.offset - parting_step);
        // With a firmness of k beside one of 1 a border is moved by k/(1 + k) of the gap.
        const double fraction = off > 2 * parting.offset ? parting.offset / *off : 0.5;
        float& k = grip_.coupling[pair];
        k = std::min(
            {k, clamped(1 - double(parting.age) / parting_frames), clamped(fraction / (1 - fraction))});
        if (off && k > 0) {
            ++entry;
        } else {
            grip_.coupling.erase(pair);
            entry = partings_.erase(entry);
        }
    }
}

void SkinMemory::grow(View<const Vec3f> position, View<const std::uint8_t> present) {
    const double spacing = carriers_->spacing();
    if (std::all_of(age_.begin(), age_.end(), [](int age) { return age < 0; })) return;
    for (Index i = 0; i < carriers_->size(); ++i) {
        shown_[i] = age_[i] >= 0;
        if (age_[i] < 0) continue;
        // Where the skin has gone, nothing has to grow below it.
        grown_[i] = std::max({grown_[i], clamped(double(age_[i]) / growing_frames), 1 - grip_.firmness[i]});
    }
    for (Index i = 0; i < carriers_->size(); ++i) {
        if (age_[i] >= 0) continue;
        float most = 0;
        carriers_->for_each_neighbour(i, [&](Index j, double) {
            if (age_[j] < 0 || !present[j]) return;
            const double apart = std::max(norm(carriers_->rest()[j] - carriers_->rest()[i]),
                                          norm(to_double(position[j] - position[i])));
            const double fraction = (overlap - apart / spacing) / (overlap - overlap_full);
            if (fraction > 0) shown_[i] = 1;
            most = std::max(most, grown_[j] * clamped(fraction));
        });
        grown_[i] = most;
    }
}

}  // namespace thixo
