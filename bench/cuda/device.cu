#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuda/passes.h"

namespace thixo {

namespace {

void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

/// A copy of an array on the device; freed with the process.
template <class T>
View<T> upload(View<const T> from) {
    T* to = nullptr;
    check(cudaMalloc(&to, from.size() * sizeof(T)), "cudaMalloc");
    check(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), "copy to the device");
    return {to, from.size()};
}

template <class T>
void download(View<const T> from, View<T> to) {
    check(cudaMemcpy(to.data(), from.data(), to.size() * sizeof(T), cudaMemcpyDeviceToHost),
          "copy from the device");
}

/// Adds up the numbers of the eight threads that share a row: ((a₀+a₄) + (a₂+a₆)) + ((a₁+a₅) + (a₃+a₇)), as
/// thixo::sum(Lanes) does.
struct WarpSums {
    THIXO_HOST_DEVICE float operator()(float a) const {
#if defined(__CUDA_ARCH__)
        const unsigned eight = 0xffu << (threadIdx.x & 24u);
        a += __shfl_xor_sync(eight, a, 4, 8);
        a += __shfl_xor_sync(eight, a, 2, 8);
        a += __shfl_xor_sync(eight, a, 1, 8);
#endif
        return a;
    }
    THIXO_HOST_DEVICE bool write(Index lane) const { return lane == 0; }
};

/// body(width, i) with eight threads for each row.
template <class Body>
__global__ void run_pairs(Body body, Index n) {
    const Index thread = blockIdx.x * blockDim.x + threadIdx.x, i = thread / lane_count;
    if (i < n) body(OneOfEight<WarpSums>(thread % lane_count, {}), i);
}

template <class Body>
__global__ void run_rows(Body body, Index n) {
    const Index i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) body(i);
}

constexpr Index threads = 256;

/// Milliseconds of the fastest of some runs.
template <class Launch>
double fastest(const Launch& launch) {
    cudaEvent_t start, stop;
    check(cudaEventCreate(&start), "event");
    check(cudaEventCreate(&stop), "event");
    double best = 1e30;
    for (int k = 0; k < 20; ++k) {
        check(cudaEventRecord(start), "event");
        launch();
        check(cudaEventRecord(stop), "event");
        check(cudaEventSynchronize(stop), "kernel");
        float ms = 0;
        check(cudaEventElapsedTime(&ms, start, stop), "event");
        best = std::min<double>(best, ms);
    }
    return best;
}

}  // namespace

bool device_present() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

PassTimes run_on_device(const Case& in, const Result& out) {
    const View<Index> lists = upload(in.lists);
    std::vector<const Index*> blocks;
    for (const Index begin : in.block_begin) blocks.push_back(lists.data() + begin);
    const View<const Index*> block_data = upload(View<const Index* const>(blocks.data(), blocks.size()));
    const Neighbours neighbours(block_data.data(), upload(in.begin), upload(in.count));
    const Pairs pairs{in.sizes, neighbours, upload(in.position_volume).data()};
    const View<FluidConstants> constants = upload(in.constants);
    const View<std::uint16_t> material = upload(in.material);
    const View<WallTerm> walls = upload(in.walls);
    const View<Packed4> velocity_pressure = upload(in.velocity);
    const std::vector<float> zero(in.n);
    const std::vector<Vec3f> nothing(in.n);
    const View<float> rho = upload(View<const float>(zero)), wall_push = upload(View<const float>(zero));
    const View<Vec3f> acceleration = upload(View<const Vec3f>(nothing));

    const Index wide = (in.n * lane_count + threads - 1) / threads, narrow = (in.n + threads - 1) / threads;
    PassTimes times;
    times.density = fastest([&] {
        run_pairs<<<wide, threads>>>(DensityPass{pairs, constants, material, walls, rho}, in.n);
    });
    times.pressure = fastest([&] {
        run_rows<<<narrow, threads>>>(PressurePass{constants, material, rho, velocity_pressure}, in.n);
    });
    const ForcePass forces{pairs,   Laplacian{},  velocity_pressure.data(),
                           nullptr, constants,    material,
                           walls,   acceleration, wall_push};
    times.forces = fastest([&] {
        // The pass adds to what is there.
        check(cudaMemsetAsync(acceleration.data(), 0, in.n * sizeof(Vec3f)), "memset");
        run_pairs<<<wide, threads>>>(forces, in.n);
    });
    check(cudaGetLastError(), "launch");
    download<float>(rho, out.rho);
    download<Vec3f>(acceleration, out.acceleration);
    return times;
}

}  // namespace thixo
