/**
 * NCCL's buffers, which no allocator of PyTorch sees: each channel keeps, for each peer it is connected to, one buffer a
 * protocol (NCCL's src/include/device.h and src/init.cc): Simple NCCL_BUFFSIZE, 4 MiB; LL 512 KiB; LL128 4.6875 MiB.
 */
export const NCCL_SIMPLE = 4 * 2 ** 20;
export const NCCL_LL = 8 * 512 * 8 * 16;
export const NCCL_LL128 = 120 * 640 * 8 * 8;

/** Bytes of a channel that is connected to one peer. */
export const NCCL_CONNECTION = NCCL_SIMPLE + NCCL_LL + NCCL_LL128;
