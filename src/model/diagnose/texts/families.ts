/** Every family of messages that is understood. Order does not matter: the message with the most figures wins. */
import { jax, onnxRuntime, tensorflowBfc } from './families/bfc.js';
import { cupy, openvino, paddle, rmm } from './families/pools.js';
import { pytorchCache } from './families/pytorch-cache.js';
import {
  cudaOutside,
  hostAllocator,
  pytorchAsync,
  pytorchHuge,
  pytorchMetalBuffer,
  pytorchMps,
  pytorchPreemptive,
} from './families/pytorch-other.js';
import { ggml, vllm } from './families/serving.js';
import { webgpu } from './families/web.js';
import { type TextFamily } from './family.js';

export const FAMILIES: readonly TextFamily[] = [
  pytorchCache,
  pytorchAsync,
  pytorchPreemptive,
  pytorchHuge,
  pytorchMps,
  pytorchMetalBuffer,
  cudaOutside,
  hostAllocator,
  tensorflowBfc,
  jax,
  onnxRuntime,
  vllm,
  ggml,
  webgpu,
  paddle,
  cupy,
  rmm,
  openvino,
];
