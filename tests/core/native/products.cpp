// Reads four numbers a line from standard input and prints how the product of the first two compares with that of the others.
#include <algorithm>
#include <iostream>

#include "wide_products.hpp"

int main() {
    for (std::int64_t a = 0, b = 0, c = 0, d = 0; std::cin >> a >> b >> c >> d;) {
        std::cout << errata::WideProducts::compare(a, b, c, d);
        const std::uint64_t largest = std::max({errata::magnitude(a), errata::magnitude(b), errata::magnitude(c), errata::magnitude(d)});
        if (largest <= errata::NarrowProducts::largest) std::cout << ' ' << errata::NarrowProducts::compare(a, b, c, d);
        std::cout << '\n';
    }
    return 0;
}
