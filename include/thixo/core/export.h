#pragma once

/// Marks what the shared libraries offer to other programs; everything else is hidden in them.
#define THIXO_API __attribute__((visibility("default")))
