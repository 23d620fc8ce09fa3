/**
 * The weights of a device during a step: made once, or gathered for the layer that runs (ZeRO-3), and the gradients that
 * come out of the backward pass: tensors that stay, or that pass into shards and buckets.
 */
import { say } from '../../../base/said.js';
import { gradientBytesOf, type PlanSettings, stateBytes, weightBytes } from '../settings.js';
import { adapterTensors, isQuantized, type Rank, type RankGroup, type RankTensor } from '../rank.js';
import { gradientsPass, offloadsGradients } from '../terms/moments.js';
import { optimizerStates, quantizedBytes } from '../terms/state-sizes.js';
import { type Recorder } from './recorder.js';

export class Weights {
  readonly #record: Recorder;
  readonly #rank: Rank;
  readonly #settings: PlanSettings;
  readonly #gathers: boolean;
  /** Gradients that stay until the optimizer's step, by tensor. */
  #own = new Map<string, number>();
  #coming: { readonly group: RankGroup; readonly flat: number } | undefined;
  #present: { readonly group: RankGroup; readonly tensors: readonly number[] } | undefined;

  constructor(record: Recorder, rank: Rank, settings: PlanSettings) {
    this.#record = record;
    this.#rank = rank;
    this.#settings = settings;
    this.#gathers = settings.zero === 3 && settings.dataParallel > 1;
  }

  /** What stays from the first to the last operation. */
  makeStates(): void {
    const { mode, zero, dataParallel, offload, bucket } = this.#settings;
    this.#record.mark(say`states`);
    if (zero === 3) this.#flat(offload === 'all' ? 0 : weightBytes(this.#settings), 'parameters', 'shard');
    else this.#makeParameters();
    if (mode === 'inference') return;
    if (gradientsPass(this.#settings) && this.#gradientsStay()) {
      this.#flat(gradientBytesOf(this.#settings), 'gradients', 'gradients', zero < 2);
    }
    if (offload === 'none') this.#makeOptimizer();
    if (mode === 'lora' || dataParallel === 1) return;
    if (zero === 0) this.#flat(gradientBytesOf(this.#settings), 'communication', 'reduce buckets');
    else {
      const elements = Math.min(bucket, this.#rank.elements);
      this.#record.make(weightBytes(this.#settings) * elements, 'communication', 'reduce bucket');
    }
  }

  /** Gradients have a place of their own from the start. */
  #gradientsStay(): boolean {
    const { zero } = this.#settings;
    const isFlat = zero >= 2 || gradientBytesOf(this.#settings) !== weightBytes(this.#settings);
    return isFlat && !offloadsGradients(this.#settings);
  }

  /** One tensor for everything, or for this device's share of it. */
  #flat(bytes: number, term: 'parameters' | 'gradients' | 'communication', name: string, whole = false): void {
    const { zero, dataParallel } = this.#settings;
    const elements = whole || zero === 0 ? this.#rank.elements : Math.ceil(this.#rank.elements / dataParallel);
    this.#record.make(bytes * elements, term, name);
  }

  #makeParameters(): void {
    const { mode, weights, masterWeights } = this.#settings;
    const width = weightBytes(this.#settings);
    for (const { part, tensors } of this.#rank.groups) {
      for (const tensor of tensors) {
        if (weights !== 'native' && isQuantized(tensor, part)) {
          const { stored, constants } = quantizedBytes(weights, tensor);
          this.#record.make(stored, 'parameters', tensor.name);
          this.#record.make(constants, 'quantization', `${tensor.name} constants`);
        } else this.#record.make(width * tensor.elements, 'parameters', tensor.name);
        if (mode !== 'lora') continue;
        adapterTensors(tensor, this.#settings).forEach((elements, i) => {
          this.#record.make(width * elements, 'parameters', `${tensor.name} adapter ${i === 0 ? 'A' : 'B'}`);
          if (masterWeights) this.#record.make(4 * elements, 'master-weights', `${tensor.name} adapter master`);
        });
      }
    }
  }

  #makeOptimizer(): void {
    const { zero, dataParallel, mode, masterWeights } = this.#settings;
    const states = optimizerStates(this.#settings);
    const make = (name: string, elements: number, sums: number) => {
      if (masterWeights && mode === 'train') this.#record.make(4 * elements, 'master-weights', `${name} master`);
      for (const state of states) {
        this.#record.make(state.bytes(elements, sums), 'optimizer', `${name} ${state.name}`);
        this.#record.make(state.constants(elements), 'quantization', `${name} ${state.name} constants`);
      }
    };
    const tensors = this.#rank.groups.flatMap((group) => group.tensors);
    if (mode === 'lora') {
      for (const tensor of tensors) {
        const { columns, rows } = tensor.module;
        adapterTensors(tensor, this.#settings).forEach((elements, i) => {
          make(`${tensor.name} adapter`, elements, this.#settings.adapterRank + (i === 0 ? columns : rows));
        });
      }
    } else if (zero === 0) {
      for (const { name, elements, module, isBias } of tensors) {
        make(name, elements, factored(isBias ? 1 : module.columns, elements));
      }
    } else {
      const sums = tensors.reduce(
        (sum, { module, isBias, elements }) => sum + factored(isBias ? 1 : module.columns, elements),
        0,
      );
      make('shard', Math.ceil(this.#rank.elements / dataParallel), Math.ceil(sums / dataParallel));
    }
  }

  /** Starts to gather the weights of a group, where they are sharded. */
  fetch(group: RankGroup | undefined): void {
    if (!this.#gathers || group === undefined) return;
    this.#coming = {
      group,
      flat: this.#record.make(this.#bytesOf(group), 'communication', `all-gather ${group.name}`),
    };
  }

  /** Waits for the weights that were fetched last: each is cut from the flat buffer, which goes. */
  wait(): void {
    if (this.#coming === undefined) return;
    const { group, flat } = this.#coming;
    const width = weightBytes(this.#settings);
    const parts = [...group.tensors, ...this.#sharedWith(group)];
    const tensors = parts.map(({ name, elements }) => this.#record.make(width * elements, 'communication', name));
    this.#record.free(flat);
    this.#coming = undefined;
    this.#present = { group, tensors };
  }

  /** Lets go of the gathered weights. */
  release(): void {
    if (this.#present === undefined) return;
    this.#record.free(...this.#present.tensors);
    this.#present = undefined;
  }

  #bytesOf(group: RankGroup): number {
    const shared = this.#sharedWith(group).reduce((sum, { elements }) => sum + elements, 0);
    return weightBytes(this.#settings) * (group.elements + shared);
  }

  /** The output layer works with the token embedding where they are one matrix. */
  #sharedWith(group: RankGroup): readonly RankTensor[] {
    if (group.part !== 'head' || this.#rank.sharedTokens === 0) return [];
    return this.#rank.groups.find(({ part }) => part === 'embedding')?.tensors.slice(0, 1) ?? [];
  }

  /** The gradients of those tensors of a group that `isWanted` picks, one after the other. */
  gradients(group: RankGroup, isWanted: (moduleName: string) => boolean): void {
    const { mode } = this.#settings;
    for (const tensor of group.tensors) {
      if (!isWanted(tensor.module.name)) continue;
      if (mode === 'train') this.#gradient(tensor.name, tensor.elements);
      else
        adapterTensors(tensor, this.#settings).forEach((elements, i) =>
          this.#gradient(`${tensor.name} adapter ${i}`, elements),
        );
    }
  }

  #gradient(name: string, elements: number): void {
    const size =
      (this.#settings.mode === 'lora' ? gradientBytesOf(this.#settings) : weightBytes(this.#settings)) * elements;
    const stays = !this.#gradientsStay() && !offloadsGradients(this.#settings);
    if (this.#settings.mode === 'lora' || stays) {
      // The first gradient of a tensor stays; later ones are added to it.
      if (!this.#own.has(name)) this.#own.set(name, this.#record.make(size, 'gradients', `${name}.grad`));
      else this.#record.free(this.#record.make(size, 'temporaries', `${name}.grad again`));
      return;
    }
    this.#record.free(this.#record.make(size, 'temporaries', `${name}.grad`));
  }

  /** The optimizer's step: its temporaries come and go, gradients are let go of. */
  step(): void {
    const { offload, masterWeights, zero, dataParallel, optimizerStep, mode } = this.#settings;
    this.#record.mark(say`optimizer`);
    const whole = mode === 'lora' ? this.#adapterElements() : this.#rank.elements;
    const stepped = zero === 0 ? whole : Math.ceil(whole / dataParallel);
    if (offload === 'none') {
      const casts = masterWeights && gradientBytesOf(this.#settings) < 4;
      const group = zero === 3 ? Math.min(stepped, 1e9) : stepped;
      const cast = this.#record.make(casts ? 4 * group : 0, 'temporaries', 'gradients in fp32');
      const square = optimizerStep === 'foreach' ? stateBytes(this.#settings) * stepped : 0;
      const roots = this.#record.make(square, 'temporaries', 'square roots of the variances');
      this.#record.free(roots, cast);
    }
    this.#record.free(...this.#own.values());
    this.#own = new Map();
  }

  #adapterElements(): number {
    return this.#rank.groups
      .flatMap(({ tensors }) => tensors.flatMap((tensor) => adapterTensors(tensor, this.#settings)))
      .reduce((sum, each) => sum + each, 0);
  }
}

/** Rows and columns of a matrix; the elements of a vector. */
const factored = (columns: number, elements: number): number =>
  columns === 1 ? elements : elements / columns + columns;
