#include "interrupt.h"

#include <csignal>

namespace thixo {

namespace {

volatile std::sig_atomic_t received = 0;

}  // namespace

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = [](int signal) { received = signal; };
    // SA_RESTART: a file that is being written when the signal arrives is completed.
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

int interrupted_by() { return received; }

}  // namespace thixo
