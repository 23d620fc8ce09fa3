/** Collects what a run yields, as it comes, so that a report can be made at any moment: also when the run is cut short. */
import {
  type Environment,
  type Experiment,
  type Preset,
  REPORT_SCHEMA,
  REPORT_VERSION,
  type Report,
  type Row,
} from './schema.js';

export interface ReportHead {
  readonly tool: { readonly name: string; readonly version: string; readonly commit?: string | undefined };
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly argv: readonly string[];
  readonly seed: number;
  readonly preset: Preset;
}

/** How a run ended. */
export type Ending = { readonly complete: true } | { readonly complete: false; readonly reason: string };

export class ReportBuilder {
  readonly #head: ReportHead;
  /** In the order of their first arrival. */
  readonly #rows = new Map<string, Row>();
  readonly #experiments: Experiment[] = [];
  #environment: Environment | undefined;

  constructor(head: ReportHead) {
    this.#head = head;
  }

  get environment(): Environment | undefined {
    return this.#environment;
  }

  setEnvironment(environment: Environment): void {
    this.#environment = environment;
  }

  /** A row that comes again, with the samples of more rounds, takes the place of the one before. */
  addRow(row: Row): void {
    this.#rows.set(row.id, row);
  }

  addExperiment(experiment: Experiment): void {
    this.#experiments.push(experiment);
  }

  /** The report of everything so far. */
  build(ending: Ending): Report {
    const { tool, createdAt, argv, seed, preset } = this.#head;
    return {
      schema: REPORT_SCHEMA,
      version: REPORT_VERSION,
      tool: { name: tool.name, version: tool.version, ...(tool.commit === undefined ? {} : { commit: tool.commit }) },
      createdAt,
      argv: [...argv],
      seed,
      preset,
      complete: ending.complete,
      ...(ending.complete ? {} : { incompleteReason: ending.reason }),
      ...(this.#environment === undefined ? {} : { environment: this.#environment }),
      results: [...this.#rows.values()],
      experiments: [...this.#experiments],
    };
  }
}
