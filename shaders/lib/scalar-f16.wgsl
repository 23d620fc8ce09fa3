enable f16;

// The number of a register kernel: counts exactly up to 2,048.
alias Scalar = f16;
