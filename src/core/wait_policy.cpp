#include "core/wait_policy.h"

#include <unistd.h>

#include <cstdlib>

namespace thixo {

void limit_spinning(char** argv) {
    if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT")) return;
    // Binds this thread to one core before `main`, and the program that it becomes would have that core
    // alone.
    if (std::getenv("OMP_PROC_BIND")) return;
    ::setenv("GOMP_SPINCOUNT", "500", 0);
    // Only comes back where it fails; then threads spin, and nothing else is different.
    ::execv("/proc/self/exe", argv);
}

}  // namespace thixo
