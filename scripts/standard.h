// The standard headers that BoringSSL's 526 files include, each for itself. `make tests` reads them once beforehand.
#include <algorithm>
#include <array>
#include <assert.h>
#include <atomic>
#include <initializer_list>
#include <iterator>
#include <limits.h>
#include <memory>
#include <optional>
#include <stdlib.h>
#include <string.h>
#include <string_view>
#include <type_traits>
#include <utility>
