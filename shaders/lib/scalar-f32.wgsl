// The number of a register kernel.
alias Scalar = f32;
