/** cuBLAS's workspace in PyTorch, CUBLAS_WORKSPACE_CONFIG=:4096:2:16:8: two of 4 MiB and eight of 16 KiB. */
export const CUBLAS_WORKSPACE = 2 * 4096 * 1024 + 8 * 16 * 1024;
