#pragma once

#include <stdexcept>
#include <string>

#include "thixo/core/export.h"

namespace thixo {

/// The input (scene, command line, file to read) is wrong: nothing was run or written. Exit code 2.
class THIXO_API InputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The run itself failed: it diverged, or its output could not be written. Exit code 1.
class THIXO_API RunError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace thixo
