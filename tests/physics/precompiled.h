// What nearly every physics test includes, compiled once for all of them.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "sim/populate.h"
#include "sim/simulation.h"
#include "sim/statistics.h"
