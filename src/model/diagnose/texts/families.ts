/** Every family of messages that is understood. Order does not matter: the message with the most figures wins. */
import { ggml } from './families/ggml.js';
import { host } from './families/host.js';
import { kernels } from './families/kernels.js';
import { onnxRuntime } from './families/onnx-runtime.js';
import { cudaOutside, habana, pytorchBare } from './families/outside.js';
import { cupy, openvino, paddle, rmm } from './families/pools.js';
import { pytorchCache } from './families/pytorch-cache.js';
import {
  pytorchAsync,
  pytorchHuge,
  pytorchMetalBuffer,
  pytorchMps,
  pytorchPreemptive,
} from './families/pytorch-other.js';
import { vllm } from './families/serving.js';
import { tensorflowBfc } from './families/tensorflow.js';
import { webgpu } from './families/web.js';
import { jax } from './families/xla.js';
import { type TextFamily } from './family.js';

export const FAMILIES: readonly TextFamily[] = [
  pytorchCache,
  pytorchAsync,
  pytorchPreemptive,
  pytorchHuge,
  pytorchBare,
  pytorchMps,
  pytorchMetalBuffer,
  habana,
  cudaOutside,
  kernels,
  host,
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
