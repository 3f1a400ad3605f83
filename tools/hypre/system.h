// A linear system in the layout of `octide bench solver --export DIR`.

#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

using std::string, std::vector;

struct System {
    string name;
    int64_t n;
    vector<int64_t> offsets, columns;
    vector<double> values, rhs;
};

// u64 n, i64 offsets[n + 1], i64 columns[], f64 values[]; u64 n, u64 1, f64 b[n]; little endian, as this machine.
static System read_system(const std::filesystem::path& dir, const string& name) {
    auto read = [&](std::ifstream& in, auto& out, int64_t count) {
        if (!in || count < 0 || count > INT32_MAX) throw std::runtime_error(name + " is missing or damaged");
        out.resize(count);
        in.read(reinterpret_cast<char*>(out.data()), count * sizeof(out[0]));
        if (!in) throw std::runtime_error(name + " ends too early");
    };
    std::ifstream a(dir / (name + ".A.bin"), std::ios::binary), b(dir / (name + ".b.bin"), std::ios::binary);
    System s{name, 0, {}, {}, {}, {}};
    vector<int64_t> head;
    read(a, head, 1);
    s.n = head[0];
    read(a, s.offsets, s.n + 1);
    read(a, s.columns, s.offsets[s.n]);
    read(a, s.values, s.offsets[s.n]);
    read(b, head, 2);
    if (head[0] != s.n) throw std::runtime_error(name + ": matrix and right-hand side do not fit each other");
    read(b, s.rhs, s.n);
    return s;
}
