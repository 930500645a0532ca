#pragma once

#include <vector>

#include "render/image.h"

namespace thixo {

/// A traced picture before it is developed: linear light, and what a denoiser and other programs need of each
/// pixel.
struct Film {
    int width = 0, height = 0;
    std::vector<Rgb> light;
    std::vector<float> variance;  ///< of the mean of the light's brightness, as far as it is displayed
    std::vector<Rgb> albedo;
    std::vector<Vec3f> normal;
    std::vector<float> depth;  ///< m; infinite where there is nothing
    std::vector<int> samples;

    Film() = default;
    Film(int w, int h)
        : width(w),
          height(h),
          light(count()),
          variance(count()),
          albedo(count()),
          normal(count()),
          depth(count()),
          samples(count()) {}
    std::size_t count() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
    std::size_t at(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
};

/// Smooths what is noise and nothing else: an edge-avoiding wavelet filter [Dammertz et al. 2010] whose
/// weights follow the measured variance, normals, colours and depths [Schied et al. 2017]. The same bits for
/// any number of threads.
void denoise(Film& film, int threads);

/// Eight bits a channel, highlights rolled off.
Image develop(const Film& film);

}  // namespace thixo
