#pragma once

#include <stdexcept>
#include <string>

namespace thixo {

/// The input (scene, command line, file to read) is wrong: nothing was run or written. Exit code 2.
class InputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The run itself failed: it diverged, or its output could not be written. Exit code 1.
class RunError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace thixo
