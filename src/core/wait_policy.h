#pragma once

namespace thixo {

/// Lets threads that wait for each other go to sleep soon. To be called first thing in `main`.
///
/// A step has a dozen places where threads meet. OpenMP's threads spin there for long by default: on a
/// machine with anything else to do, the spinning thread keeps the core from the one it waits for until the
/// scheduler steps in, and a step of 2 ms takes 160. Not to spin at all makes small scenes four times slower
/// on an idle machine. The runtime reads how long to spin from the environment before `main` begins, and
/// offers no call to change it, so the program starts itself anew with the environment it needs. An
/// environment that sets one is left alone.
void limit_spinning(char** argv);

}  // namespace thixo
