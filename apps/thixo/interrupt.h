#pragma once

namespace thixo {

/// From now on SIGINT (Ctrl-C) and SIGTERM set a flag; a second signal ends the program at once.
void catch_interrupts();

/// The signal received, or 0.
int interrupted_by();

}  // namespace thixo
