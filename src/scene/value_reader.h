#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "geometry/transform.h"
#include "scene/json_value.h"
#include "scene/problems.h"
#include "scene/rule.h"

namespace thixo {

/// Reads the kinds of value that do not depend on a described type. `path_` is the current key path.
class ValueReader {
public:
    explicit ValueReader(Problems& problems) : problems_(problems) {}

protected:
    void read(const JsonValue& value, double& out, const Rule& rule);
    void read(const JsonValue& value, int& out, const Rule& rule);
    void read(const JsonValue& value, std::uint64_t& out, const Rule& rule);
    void read(const JsonValue& value, bool& out, const Rule& rule);
    void read(const JsonValue& value, std::string& out, const Rule& rule);
    void read(const JsonValue& value, Vec3d& out, const Rule& rule);
    void read(const JsonValue& value, Rotation& out, const Rule& rule);

    void wrong_type(const JsonValue& value, std::string_view expected, const Rule& rule);
    void check_text(const Position& at, std::string_view text, const Rule& rule);
    void problem(const Position& at, std::string_view message) { problems_.add(at, path_, message); }

    /// Extends the path for as long as it lives.
    class Step {
    public:
        Step(ValueReader& reader, std::string_view name) : path_(reader.path_), length_(path_.size()) {
            path_ = join_path(path_, name);
        }
        ~Step() { path_.resize(length_); }
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;

    private:
        std::string& path_;
        std::size_t length_;
    };

    Problems& problems_;
    std::string path_;

private:
    bool read_integer(const JsonValue& value, std::string_view expected, const Rule& rule);
};

}  // namespace thixo
