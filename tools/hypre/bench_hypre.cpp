// hypre's multigrids on the systems that `octide bench solver --export DIR` writes; see README.md.
//
// BoomerAMG-PCG on every system, and PFMG-PCG on uniform tanks (uniN). One JSON line a system and solver: the
// best times of all repetitions, and the relative residual |b - A x| / |b| computed here, not the solver's own.

#include "system.h"

#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <HYPRE_struct_ls.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

using Index = HYPRE_BigInt;

static int n_ranks, rank, repetitions = 3;
static double tolerance = 1e-4;

struct Measured {
    double setup = INFINITY, solve = INFINITY;
    HYPRE_Int iterations = 0;
};

// |b - A x| / |b|; `own` are this process's rows of x, from `first` on.
static double residual(const System& s, int first, const vector<double>& own) {
    vector<int> counts(n_ranks), firsts(n_ranks);
    int count = own.size();
    MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&first, 1, MPI_INT, firsts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    vector<double> x(s.n);
    MPI_Allgatherv(own.data(), count, MPI_DOUBLE, x.data(), counts.data(), firsts.data(), MPI_DOUBLE, MPI_COMM_WORLD);
    double rr = 0, bb = 0;
    for (int64_t i = 0; i < s.n; i++) {
        double r = s.rhs[i];
        for (int64_t e = s.offsets[i]; e < s.offsets[i + 1]; e++) r -= s.values[e] * x[s.columns[e]];
        rr += r * r, bb += s.rhs[i] * s.rhs[i];
    }
    return std::sqrt(rr / bb);
}

static void tell(const System& s, const char* solver, const Measured& m, double residual) {
    if (rank != 0) return;
    printf("{\"system\":\"%s\",\"solver\":\"%s\",\"processes\":%d,\"n\":%lld,\"tolerance\":%g,\"setup_seconds\":%.6f,"
           "\"solve_seconds\":%.6f,\"iterations\":%d,\"residual\":%.3e}\n",
           s.name.c_str(), solver, n_ranks, (long long)s.n, tolerance, m.setup, m.solve, int(m.iterations), residual);
    fflush(stdout);
}

// Keeps the shortest time that `work` took on all processes.
template <class Work>
static void time_best(double& best, Work work) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    work();
    MPI_Barrier(MPI_COMM_WORLD);
    best = std::min(best, MPI_Wtime() - start);
}

static void boomer_amg(const System& s) {
    const Index first = s.n * rank / n_ranks, last = s.n * (rank + 1) / n_ranks - 1, count = last - first + 1;
    vector<Index> rows(count), columns(s.columns.data() + s.offsets[first], s.columns.data() + s.offsets[last + 1]);
    vector<HYPRE_Int> lengths(count);
    for (Index i = 0; i < count; i++) rows[i] = first + i, lengths[i] = s.offsets[first + i + 1] - s.offsets[first + i];
    HYPRE_IJMatrix matrix;
    HYPRE_IJMatrixCreate(MPI_COMM_WORLD, first, last, first, last, &matrix);
    HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR);
    HYPRE_IJMatrixSetRowSizes(matrix, lengths.data());
    HYPRE_IJMatrixInitialize(matrix);
    HYPRE_IJMatrixSetValues(matrix, count, lengths.data(), rows.data(), columns.data(), &s.values[s.offsets[first]]);
    HYPRE_IJMatrixAssemble(matrix);
    vector<double> own(count, 0.0);
    HYPRE_IJVector vectors[2];
    const double* contents[2] = {&s.rhs[first], own.data()};
    HYPRE_ParCSRMatrix a;
    HYPRE_ParVector b_and_x[2];
    HYPRE_IJMatrixGetObject(matrix, (void**)&a);
    for (int v = 0; v < 2; v++) {
        HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, last, &vectors[v]);
        HYPRE_IJVectorSetObjectType(vectors[v], HYPRE_PARCSR);
        HYPRE_IJVectorInitialize(vectors[v]);
        HYPRE_IJVectorSetValues(vectors[v], count, rows.data(), contents[v]);
        HYPRE_IJVectorAssemble(vectors[v]);
        HYPRE_IJVectorGetObject(vectors[v], (void**)&b_and_x[v]);
    }
    Measured m;
    for (int r = 0; r < repetitions; r++) {
        HYPRE_ParVectorSetConstantValues(b_and_x[1], 0.0);
        HYPRE_Solver cg, amg;
        HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &cg);
        HYPRE_PCGSetTol(cg, tolerance), HYPRE_PCGSetTwoNorm(cg, 1), HYPRE_PCGSetMaxIter(cg, 500);
        HYPRE_BoomerAMGCreate(&amg);
        HYPRE_BoomerAMGSetTol(amg, 0.0), HYPRE_BoomerAMGSetMaxIter(amg, 1);
        HYPRE_BoomerAMGSetCoarsenType(amg, 10);  // HMIS
        HYPRE_BoomerAMGSetInterpType(amg, 6);    // extended+i
        HYPRE_BoomerAMGSetPMaxElmts(amg, 4);
        HYPRE_BoomerAMGSetStrongThreshold(amg, 0.5);
        HYPRE_BoomerAMGSetAggNumLevels(amg, 1);
        HYPRE_BoomerAMGSetRelaxType(amg, 8);  // l1-scaled symmetric Gauss-Seidel
        HYPRE_BoomerAMGSetNumSweeps(amg, 1);
        HYPRE_PCGSetPrecond(cg, HYPRE_PtrToSolverFcn(HYPRE_BoomerAMGSolve),
                            HYPRE_PtrToSolverFcn(HYPRE_BoomerAMGSetup), amg);
        time_best(m.setup, [&] { HYPRE_ParCSRPCGSetup(cg, a, b_and_x[0], b_and_x[1]); });
        time_best(m.solve, [&] { HYPRE_ParCSRPCGSolve(cg, a, b_and_x[0], b_and_x[1]); });
        HYPRE_PCGGetNumIterations(cg, &m.iterations);
        HYPRE_BoomerAMGDestroy(amg), HYPRE_ParCSRPCGDestroy(cg);
    }
    HYPRE_IJVectorGetValues(vectors[1], count, rows.data(), own.data());
    tell(s, "BoomerAMG-PCG", m, residual(s, first, own));
    HYPRE_IJMatrixDestroy(matrix), HYPRE_IJVectorDestroy(vectors[0]), HYPRE_IJVectorDestroy(vectors[1]);
}

// A tank of side x side x side/2 cells, x fastest; each process has a slab of it.
static void pfmg(const System& s, int side) {
    const int height = side / 2, z0 = height * rank / n_ranks, z1 = height * (rank + 1) / n_ranks - 1;
    const int64_t strides[4] = {0, 1, side, int64_t(side) * side};
    const int64_t first = strides[3] * z0, count = strides[3] * (z1 - z0 + 1);
    HYPRE_Int low[3] = {0, 0, z0}, high[3] = {side - 1, side - 1, z1};
    // Half of a symmetric matrix: the diagonal and the links toward +x, +y, +z.
    HYPRE_Int points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, entries[4] = {0, 1, 2, 3};
    vector<double> values(4 * count, 0.0), own(&s.rhs[first], &s.rhs[first] + count);
    for (int64_t i = 0; i < count; i++)
        for (int64_t e = s.offsets[first + i]; e < s.offsets[first + i + 1]; e++)
            for (int k = 0; k < 4; k++)
                if (s.columns[e] == first + i + strides[k]) values[4 * i + k] = s.values[e];
    HYPRE_StructGrid grid;
    HYPRE_StructStencil stencil;
    HYPRE_StructMatrix a;
    HYPRE_StructVector b, x;
    HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid);
    HYPRE_StructGridSetExtents(grid, low, high), HYPRE_StructGridAssemble(grid);
    HYPRE_StructStencilCreate(3, 4, &stencil);
    for (int k = 0; k < 4; k++) HYPRE_StructStencilSetElement(stencil, k, points[k]);
    HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, stencil, &a);
    HYPRE_StructMatrixSetSymmetric(a, 1), HYPRE_StructMatrixInitialize(a);
    HYPRE_StructMatrixSetBoxValues(a, low, high, 4, entries, values.data()), HYPRE_StructMatrixAssemble(a);
    for (HYPRE_StructVector* v : {&b, &x}) {
        HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, v), HYPRE_StructVectorInitialize(*v);
        HYPRE_StructVectorSetBoxValues(*v, low, high, own.data()), HYPRE_StructVectorAssemble(*v);
    }
    Measured m;
    for (int r = 0; r < repetitions; r++) {
        HYPRE_StructVectorSetConstantValues(x, 0.0);
        HYPRE_StructSolver cg, mg;
        HYPRE_StructPCGCreate(MPI_COMM_WORLD, &cg);
        HYPRE_StructPCGSetTol(cg, tolerance), HYPRE_StructPCGSetTwoNorm(cg, 1), HYPRE_StructPCGSetMaxIter(cg, 500);
        HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &mg);
        HYPRE_StructPFMGSetTol(mg, 0.0), HYPRE_StructPFMGSetMaxIter(mg, 1), HYPRE_StructPFMGSetZeroGuess(mg);
        HYPRE_StructPFMGSetRelaxType(mg, 2);  // symmetric red-black Gauss-Seidel
        HYPRE_StructPFMGSetRAPType(mg, 1);    // non-Galerkin: seven points on every level
        HYPRE_StructPFMGSetNumPreRelax(mg, 1), HYPRE_StructPFMGSetNumPostRelax(mg, 1);
        HYPRE_StructPCGSetPrecond(cg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, mg);
        time_best(m.setup, [&] { HYPRE_StructPCGSetup(cg, a, b, x); });
        time_best(m.solve, [&] { HYPRE_StructPCGSolve(cg, a, b, x); });
        HYPRE_StructPCGGetNumIterations(cg, &m.iterations);
        HYPRE_StructPFMGDestroy(mg), HYPRE_StructPCGDestroy(cg);
    }
    HYPRE_StructVectorGetBoxValues(x, low, high, own.data());
    tell(s, "PFMG-PCG", m, residual(s, first, own));
    HYPRE_StructVectorDestroy(b), HYPRE_StructVectorDestroy(x), HYPRE_StructMatrixDestroy(a);
    HYPRE_StructStencilDestroy(stencil), HYPRE_StructGridDestroy(grid);
}

static void run(int argc, char** argv) {
    if (argc < 2) throw std::runtime_error("usage: bench_hypre DIR [TOLERANCE [REPETITIONS]]");
    if (argc > 2) tolerance = atof(argv[2]);
    if (argc > 3) repetitions = std::max(1, atoi(argv[3]));
    vector<string> names;
    for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
        if (string stem = entry.path().stem().string(); entry.path().extension() == ".bin" && stem.size() > 2 &&
            stem.compare(stem.size() - 2, 2, ".A") == 0) names.push_back(stem.substr(0, stem.size() - 2));
    std::sort(names.begin(), names.end());
    for (const string& name : names) {
        System s = read_system(argv[1], name);
        boomer_amg(s);
        int64_t side = name.compare(0, 3, "uni") == 0 ? atoi(name.c_str() + 3) : 0;
        if (side > 1 && side * side * (side / 2) == s.n) pfmg(s, side);
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv), HYPRE_Init();
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks), MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        run(argc, argv);
    } catch (const std::exception& e) {
        fprintf(stderr, "error: %s\n", e.what());
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    HYPRE_Finalize(), MPI_Finalize();
}
