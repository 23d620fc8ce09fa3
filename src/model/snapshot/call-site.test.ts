import { describe, expect, it } from 'vitest';
import { callSite } from './call-site.js';
import { readSnapshot } from './read-snapshot.js';
import { pythonPickle } from './testing/python-pickle.js';

type Frame = readonly [filename: string, line: number, name: string];

const MACHINERY: readonly Frame[] = [
  ['??', 0, 'torch::unwind::unwind()'],
  [
    'CUDACachingAllocator.cpp',
    0,
    'c10::cuda::CUDACachingAllocator::Native::NativeCachingAllocator::allocate(unsigned long)',
  ],
  ['??', 0, 'at::detail::empty_cuda(c10::ArrayRef<long>, c10::TensorOptions const&)'],
];
const THREAD: readonly Frame[] = [
  ['??', 0, 'torch::autograd::Engine::thread_main(std::shared_ptr<torch::autograd::GraphTask> const&)'],
  ['thread48.o', 0, 'execute_native_thread_routine'],
];

function siteOf(...frames: readonly Frame[]): string {
  const entry = {
    action: 'alloc',
    addr: 2 ** 40,
    size: 512,
    stream: 0,
    frames: [...MACHINERY, ...frames].map(([filename, line, name]) => ({ name, filename, line })),
  };
  const snapshot = readSnapshot(pythonPickle({ segments: [], device_traces: [[entry]] }, 4), 'x');
  return callSite(snapshot, snapshot.traces[0]?.stack[0] ?? -1);
}

describe('the place of an allocation', () => {
  it("is the innermost frame of a person's own code", () => {
    const library: Frame = ['site-packages/torch/nn/modules/linear.py', 125, 'forward'];
    expect(siteOf(library, ['app/train.py', 41, 'step'], ['app/train.py', 90, 'main'])).toBe('train.py:41 step');
  });

  it('is a library frame of Python where there is no other', () => {
    expect(siteOf(['site-packages/torch/optim/adam.py', 7, 'step'], ...THREAD)).toBe('adam.py:7 step');
  });

  it('is the step of the backward pass in its thread, not how the thread was started', () => {
    const bmm: Frame = ['??', 0, 'at::_ops::bmm::call(at::Tensor const&, at::Tensor const&)'];
    const node = (name: string): Frame => ['??', 0, `torch::autograd::generated::${name}(std::vector<at::Tensor> &&)`];
    expect(siteOf(bmm, node('BmmBackward0::apply'), ...THREAD)).toBe('backward pass, BmmBackward0');
    expect(siteOf(bmm, node('MulBackward0_apply_functional'), node('MulBackward0::apply'), ...THREAD)).toBe(
      'backward pass, MulBackward0',
    );
  });

  it('is C++ where nothing else is on the stack', () => {
    expect(siteOf(['??', 0, 'at::native::clone(at::Tensor const&)'], ...THREAD)).toContain('at::native::clone');
  });
});
