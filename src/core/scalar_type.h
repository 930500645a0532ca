#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thixo {

/// The number types that files of particles and meshes store.
enum class ScalarType { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };

struct ScalarTypeInfo {
    ScalarType type;
    std::size_t size;           ///< bytes
    std::string_view ply;       ///< name in PLY headers; none for 64-bit integers
    std::string_view ply_long;  ///< the newer PLY spelling, read but never written
    std::string_view vtk;       ///< name in VTK's XML files
};

inline constexpr std::array<ScalarTypeInfo, 10> scalar_types{{
    {ScalarType::int8, 1, "char", "int8", "Int8"},
    {ScalarType::uint8, 1, "uchar", "uint8", "UInt8"},
    {ScalarType::int16, 2, "short", "int16", "Int16"},
    {ScalarType::uint16, 2, "ushort", "uint16", "UInt16"},
    {ScalarType::int32, 4, "int", "int32", "Int32"},
    {ScalarType::uint32, 4, "uint", "uint32", "UInt32"},
    {ScalarType::int64, 8, "", "", "Int64"},
    {ScalarType::uint64, 8, "", "", "UInt64"},
    {ScalarType::float32, 4, "float", "float32", "Float32"},
    {ScalarType::float64, 8, "double", "float64", "Float64"},
}};

constexpr const ScalarTypeInfo& info(ScalarType type) { return scalar_types[static_cast<std::size_t>(type)]; }

/// Calls visit(T{}) with the C++ type that `type` stands for.
template <class Visit>
decltype(auto) with_scalar_type(ScalarType type, Visit&& visit) {
    switch (type) {
        case ScalarType::int8:
            return visit(std::int8_t{});
        case ScalarType::uint8:
            return visit(std::uint8_t{});
        case ScalarType::int16:
            return visit(std::int16_t{});
        case ScalarType::uint16:
            return visit(std::uint16_t{});
        case ScalarType::int32:
            return visit(std::int32_t{});
        case ScalarType::uint32:
            return visit(std::uint32_t{});
        case ScalarType::int64:
            return visit(std::int64_t{});
        case ScalarType::uint64:
            return visit(std::uint64_t{});
        case ScalarType::float32:
            return visit(float{});
        case ScalarType::float64:
            break;
    }
    return visit(double{});
}

}  // namespace thixo
