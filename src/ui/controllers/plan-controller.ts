import { type ReactiveController, type ReactiveControllerHost } from 'lit';
import { type PlanProblem, type ReadCard, readCard, readPlan } from '../../app/plan-reading.js';
import { type PlanSide, type PlanView } from '../../app/plan-view.js';
import type { PlanAnswer } from '../../app/plan-work.js';
import { type Plan } from '../../model/plan/plan.js';

const SIDES = ['a', 'b'] as const;

/**
 * Works on the plans of a view and keeps what is known of each. Replays come after the first draw: their code is fetched
 * when there is something to replay. A plan that cannot be read leaves the last answer standing.
 */
export class PlanController implements ReactiveController {
  answers: Partial<Record<PlanSide, PlanAnswer>> = {};
  problems: Partial<Record<PlanSide, PlanProblem>> = {};
  card: ReadCard | undefined;
  readonly #work = new Map<PlanSide, { readonly key: string; readonly stop: AbortController }>();

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostDisconnected(): void {
    for (const side of SIDES) this.stop(side);
  }

  /** Plans again where the fields have changed since the last call. */
  compute({ a, b, card: cardFields }: PlanView): void {
    const card = readCard(cardFields);
    if ('message' in card) {
      this.problems = { a: card, b: card };
      return;
    }
    this.card = card;
    this.problems = {};
    for (const side of SIDES) {
      const fields = side === 'b' ? b : a;
      if (fields === undefined) continue;
      const read = readPlan(fields, card.context);
      if (read.status === 'refused') {
        this.problems[side] = read.problem;
        continue;
      }
      const key = JSON.stringify([fields, cardFields]);
      if (this.#work.get(side)?.key === key) continue;
      this.stop(side);
      const stop = new AbortController();
      this.#work.set(side, { key, stop });
      void this.#start(side, read.plan, card, stop.signal);
    }
  }

  /** Ends the work on a side. */
  stop(side: PlanSide): void {
    this.#work.get(side)?.stop.abort();
    this.#work.delete(side);
  }

  async #start(side: PlanSide, plan: Plan, card: ReadCard, signal: AbortSignal): Promise<void> {
    const { workOnPlan } = await import('../../app/plan-work.js');
    if (signal.aborted) return;
    const onAnswer = (answer: PlanAnswer): void => {
      if (signal.aborted) return;
      this.answers = { ...this.answers, [side]: answer };
      this.host.requestUpdate();
    };
    await workOnPlan(plan, card, onAnswer, signal);
  }
}
