// What the kernels on tensors share. A tensor is a range of a segment (one GPUBuffer); a segment is bound once, as
// read_write, and the ranges come from a table: one row of it a dispatch, through a dynamic offset. Lengths and places
// are counted in vec4<u32> (16 bytes). Uses lib/grid.wgsl.
//
// Word w of a tensor holds hash(tensor) ^ w, whatever was computed: an operation takes the tag of its source off and puts
// its own on, so that a wrong source makes a wrong result and every tensor can be checked at any time.
struct Row {
  // First vec4 of the range in the segment that is written (or checked), and how many there are.
  target_start: u32,
  count: u32,
  // Place of the range's first vec4 in its tensor.
  target_first: u32,
  target_hash: u32,
  // First vec4 of the source in its segment, and how many there are; reading goes around.
  source_start: u32,
  source_count: u32,
  // Place of the source's first vec4 in its tensor.
  source_first: u32,
  source_hash: u32,
  // 1 where the source lies in the segment that is written: a buffer cannot be bound twice.
  source_in_target: u32,
  // Row of the findings that a check adds to.
  finding: u32,
  // Threads that share the range.
  threads: u32,
}

@group(0) @binding(0) var<uniform> row: Row;
// The segment of the source; a stand-in where it is the one that is written.
@group(0) @binding(1) var<storage, read_write> source_segment: array<vec4<u32>>;
// The segment that is written.
@group(0) @binding(2) var<storage, read_write> target_segment: array<vec4<u32>>;

// The tag of the four words at place `at` of a tensor.
fn tag(hash: u32, at: u32) -> vec4<u32> {
  return vec4<u32>(hash) ^ (vec4<u32>(at * 4u) + vec4<u32>(0u, 1u, 2u, 3u));
}

// The source's vec4 for place `at` of the range, its own tag taken off: zero where all is well.
fn source_error(at: u32) -> vec4<u32> {
  // A division costs more than the rest: only where the source is shorter.
  var place = at;
  if (place >= row.source_count) {
    place = place % row.source_count;
  }
  let index = row.source_start + place;
  var value: vec4<u32>;
  if (row.source_in_target == 1u) {
    value = target_segment[index];
  } else {
    value = source_segment[index];
  }
  return value ^ tag(row.source_hash, row.source_first + place);
}
