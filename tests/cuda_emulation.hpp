// CUDA's side of a kernel, enough to run one on a CPU: each thread of a block is a fiber, and gives way where it waits.
//
// Blocks run one after the other. A barrier that some thread of the block (or of the warp) never reaches is found, and
// said, instead of hanging; and blocks and threads may be run backwards, which shows what relies on their order.
#include <math.h>
#include <string.h>
#include <ucontext.h>

struct Index { unsigned x, y, z; };
static Index threadIdx, blockIdx, blockDim, gridDim;

#define __global__
#define __device__
#define __shared__ static
#define __launch_bounds__(n)

enum State { READY, AT_BARRIER, AT_WARP, DONE };
struct Fiber { ucontext_t context; State state; Index at; };
static const int MOST = 1024, STACK = 1 << 16;
static Fiber fibers[MOST];
static char stacks[MOST][STACK];
static char exchanged[MOST][8];
static ucontext_t scheduler;
static int current, count;
static const char* complaint;
static void (*body)();

static void wait(State where) {
    fibers[current].state = where;
    swapcontext(&fibers[current].context, &scheduler);
    threadIdx = fibers[current].at;
}
static void __syncthreads() { wait(AT_BARRIER); }
static void __syncwarp() { wait(AT_WARP); }
template <typename T> static T __shfl_xor_sync(unsigned mask, T x, int step) {
    if (mask != 0xffffffff) complaint = "a shuffle that leaves out threads";
    memcpy(exchanged[current], &x, sizeof(T));
    wait(AT_WARP);
    T other;
    memcpy(&other, exchanged[current ^ step], sizeof(T));
    wait(AT_WARP);  // all have read
    return other;
}
static float __int_as_float(int bits) { float x; memcpy(&x, &bits, 4); return x; }

static void enter() {
    threadIdx = fibers[current].at;
    body();
    fibers[current].state = DONE;
    swapcontext(&fibers[current].context, &scheduler);
}
static bool release(int first, int last, State where) {  // those that wait go on, if all of them are there
    int there = 0, gone = 0;
    for (int i = first; i < last; ++i) {
        there += fibers[i].state == where;
        gone += fibers[i].state == DONE;
    }
    if (there && gone) complaint = "threads that have returned, while others wait for them";
    if (!there || there + gone < last - first) return false;
    for (int i = first; i < last; ++i) if (fibers[i].state == where) fibers[i].state = READY;
    return true;
}
static void run_block(bool backwards) {
    for (int i = 0; i < count; ++i) {
        Fiber& f = fibers[i];
        f.state = READY;
        f.at = {i % blockDim.x, i / blockDim.x, 0};
        getcontext(&f.context);
        f.context.uc_stack.ss_sp = stacks[i];
        f.context.uc_stack.ss_size = STACK;
        f.context.uc_link = 0;
        makecontext(&f.context, enter, 0);
    }
    for (bool moved = true; moved && !complaint;) {
        moved = false;
        for (int k = 0; k < count; ++k) {
            current = backwards ? count - 1 - k : k;
            if (fibers[current].state != READY) continue;
            swapcontext(&scheduler, &fibers[current].context);
            moved = true;
        }
        for (int first = 0; first < count; first += 32)
            moved |= release(first, first + 32 < count ? first + 32 : count, AT_WARP);
        moved |= release(0, count, AT_BARRIER);
    }
    for (int i = 0; i < count; ++i)
        if (fibers[i].state != DONE && !complaint) complaint = "threads that wait for ever";
}
static const char* run_grid(void (*kernel)(), unsigned blocks, unsigned x, unsigned y, bool backwards) {
    body = kernel;
    gridDim = {blocks, 1, 1};
    blockDim = {x, y, 1};
    count = x * y;
    complaint = count > MOST ? "more than 1024 threads in a block" : 0;
    for (unsigned b = 0; b < blocks && !complaint; ++b) {
        blockIdx = {backwards ? blocks - 1 - b : b, 0, 0};
        run_block(backwards);
    }
    return complaint;
}
