#pragma once

namespace thixo {

/// Bytes that this process may still allocate: the least of what the machine has free, what its control group
/// leaves, and what limits of the process (`ulimit -v`, `ulimit -d`) leave. Infinite where nothing is known.
double available_memory();

}  // namespace thixo
