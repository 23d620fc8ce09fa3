// Operands of registers: independent chains of fused multiply-add on named vectors, x = x * 1 + 1 with both constants
// unknown to the compiler. `blocks` says how many vectors are live, 8 a block: the sweep over it shows where registers
// spill. Uses lib/grid.wgsl and one lib/scalar-*.wgsl.
struct Registers {
  // Rounds of this dispatch, CHAIN multiply-adds on every vector each.
  steps: u32,
  // Rounds of this row before this dispatch.
  first_step: u32,
  threads: u32,
  // Both 1.
  factor: f32,
  addend: f32,
}

// Blocks of 8 vectors, 1 to 16. Code of the others is never compiled into the loop.
override blocks: u32 = 1u;

const CHAIN = 128u;

@group(0) @binding(0) var<uniform> registers: Registers;
// One sum a thread, carried from dispatch to dispatch.
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

alias Vector = vec4<Scalar>;

struct Block {
  a: Vector,
  b: Vector,
  c: Vector,
  d: Vector,
  e: Vector,
  f: Vector,
  g: Vector,
  h: Vector,
}

// Every vector of every block starts differently: its place plus 0 .. 3 plus a number that changes with the round.
fn start(block: u32, base: u32) -> Block {
  let first = vec4<u32>(0u, 1u, 2u, 3u) + vec4<u32>(base + 8u * block);
  return Block(
    Vector(first + vec4<u32>(0u)),
    Vector(first + vec4<u32>(1u)),
    Vector(first + vec4<u32>(2u)),
    Vector(first + vec4<u32>(3u)),
    Vector(first + vec4<u32>(4u)),
    Vector(first + vec4<u32>(5u)),
    Vector(first + vec4<u32>(6u)),
    Vector(first + vec4<u32>(7u)),
  );
}

fn step_all(x: Block, factor: Vector, addend: Vector) -> Block {
  return Block(
    fma(x.a, factor, addend),
    fma(x.b, factor, addend),
    fma(x.c, factor, addend),
    fma(x.d, factor, addend),
    fma(x.e, factor, addend),
    fma(x.f, factor, addend),
    fma(x.g, factor, addend),
    fma(x.h, factor, addend),
  );
}

fn sum_of(x: Block) -> u32 {
  let sums = vec4<u32>(x.a) +
    vec4<u32>(x.b) +
    vec4<u32>(x.c) +
    vec4<u32>(x.d) +
    vec4<u32>(x.e) +
    vec4<u32>(x.f) +
    vec4<u32>(x.g) +
    vec4<u32>(x.h);
  return sums.x + sums.y + sums.z + sums.w;
}

@compute @workgroup_size(workgroup_size)
fn register_chains(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = linear_index(workgroup, workgroups, local);
  if (thread >= registers.threads) {
    return;
  }
  let factor = Vector(Scalar(registers.factor));
  let addend = Vector(Scalar(registers.addend));
  var sum = 0u;
  for (var step = 0u; step < registers.steps; step++) {
    let base = (thread + registers.first_step + step) & 15u;
    var x0 = start(0u, base);
    var x1 = start(1u, base);
    var x2 = start(2u, base);
    var x3 = start(3u, base);
    var x4 = start(4u, base);
    var x5 = start(5u, base);
    var x6 = start(6u, base);
    var x7 = start(7u, base);
    var x8 = start(8u, base);
    var x9 = start(9u, base);
    var x10 = start(10u, base);
    var x11 = start(11u, base);
    var x12 = start(12u, base);
    var x13 = start(13u, base);
    var x14 = start(14u, base);
    var x15 = start(15u, base);
    for (var link = 0u; link < CHAIN; link++) {
      x0 = step_all(x0, factor, addend);
      if (blocks > 1u) {
        x1 = step_all(x1, factor, addend);
      }
      if (blocks > 2u) {
        x2 = step_all(x2, factor, addend);
      }
      if (blocks > 3u) {
        x3 = step_all(x3, factor, addend);
      }
      if (blocks > 4u) {
        x4 = step_all(x4, factor, addend);
      }
      if (blocks > 5u) {
        x5 = step_all(x5, factor, addend);
      }
      if (blocks > 6u) {
        x6 = step_all(x6, factor, addend);
      }
      if (blocks > 7u) {
        x7 = step_all(x7, factor, addend);
      }
      if (blocks > 8u) {
        x8 = step_all(x8, factor, addend);
      }
      if (blocks > 9u) {
        x9 = step_all(x9, factor, addend);
      }
      if (blocks > 10u) {
        x10 = step_all(x10, factor, addend);
      }
      if (blocks > 11u) {
        x11 = step_all(x11, factor, addend);
      }
      if (blocks > 12u) {
        x12 = step_all(x12, factor, addend);
      }
      if (blocks > 13u) {
        x13 = step_all(x13, factor, addend);
      }
      if (blocks > 14u) {
        x14 = step_all(x14, factor, addend);
      }
      if (blocks > 15u) {
        x15 = step_all(x15, factor, addend);
      }
    }
    sum += sum_of(x0);
    if (blocks > 1u) {
      sum += sum_of(x1);
    }
    if (blocks > 2u) {
      sum += sum_of(x2);
    }
    if (blocks > 3u) {
      sum += sum_of(x3);
    }
    if (blocks > 4u) {
      sum += sum_of(x4);
    }
    if (blocks > 5u) {
      sum += sum_of(x5);
    }
    if (blocks > 6u) {
      sum += sum_of(x6);
    }
    if (blocks > 7u) {
      sum += sum_of(x7);
    }
    if (blocks > 8u) {
      sum += sum_of(x8);
    }
    if (blocks > 9u) {
      sum += sum_of(x9);
    }
    if (blocks > 10u) {
      sum += sum_of(x10);
    }
    if (blocks > 11u) {
      sum += sum_of(x11);
    }
    if (blocks > 12u) {
      sum += sum_of(x12);
    }
    if (blocks > 13u) {
      sum += sum_of(x13);
    }
    if (blocks > 14u) {
      sum += sum_of(x14);
    }
    if (blocks > 15u) {
      sum += sum_of(x15);
    }
  }
  sums[thread] += sum;
}
