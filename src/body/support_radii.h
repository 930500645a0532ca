#pragma once

#include <vector>

#include "particles/table.h"

namespace thixo {

/// The support radius H of each row: particles may differ in size.
class SupportRadii {
public:
    /// `support`: H in spacings; `spacing` (m): that of particles of the usual size.
    SupportRadii(double support, double spacing) : support_(support), spacing_(spacing) {}

    /// Takes the sizes from the table; to be called when rows came, went or changed their order.
    void update(const Device& device, const ParticleTable& particles);

    View<const float> rows() const { return rows_; }  ///< m
    /// The same where not all of them are the usual one, else empty.
    View<const float> mixed() const { return mixed_ ? View<const float>(rows_) : View<const float>(); }

    double usual() const { return support_ * spacing_; }  ///< m
    double finest() const { return finest_ * usual(); }   ///< the smallest, m
    double finest_ratio() const { return finest_; }       ///< the smallest, in the usual one
    double spacing() const { return spacing_; }           ///< m
    std::size_t bytes() const { return rows_.capacity() * sizeof(float); }

private:
    double support_, spacing_;
    std::vector<float> rows_;
    bool mixed_ = false;
    double finest_ = 1;
};

}  // namespace thixo
