// What nearly every test includes, compiled once for all test programs.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <string>
#include <vector>
