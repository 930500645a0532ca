#pragma once

namespace thixo {

/// From now on Ctrl-C and a request to terminate only raise a flag; a second one ends the program at once.
void catch_interrupts();

/// The signal that asked to stop, or 0.
int interrupted_by();

}  // namespace thixo
