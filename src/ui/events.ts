/** What parts tell the pages. Each is one class, typed on every listener. */
import { type CardFields, type PlanFields } from '../app/plan-view.js';
import { type ExportFormat } from '../app/export-formats.js';
import { type ModelSettings } from '../app/model-settings.js';
import { type RunSettings } from '../app/settings.js';
import { type Theme } from '../app/url-state.js';
import { type Language } from '../model/lesson/local-text.js';

const UPWARDS: EventInit = { bubbles: true, composed: true };

/** Some run settings were edited; the others stay. */
export class SettingsChangedEvent extends Event {
  static readonly eventName = 'app-settings-changed';
  constructor(readonly change: Partial<RunSettings>) {
    super(SettingsChangedEvent.eventName, UPWARDS);
  }
}

export class RunRequestedEvent extends Event {
  static readonly eventName = 'app-run-requested';
  constructor() {
    super(RunRequestedEvent.eventName, UPWARDS);
  }
}

export class RunCancelledEvent extends Event {
  static readonly eventName = 'app-run-cancelled';
  constructor() {
    super(RunCancelledEvent.eventName, UPWARDS);
  }
}

/** The run on screen is to be saved as a file. */
export class ExportRequestedEvent extends Event {
  static readonly eventName = 'app-export-requested';
  constructor(readonly format: ExportFormat) {
    super(ExportRequestedEvent.eventName, UPWARDS);
  }
}

/** Charts are to be saved as one picture, in this order. */
export class PictureRequestedEvent extends Event {
  static readonly eventName = 'app-picture-requested';
  constructor(readonly charts: readonly string[]) {
    super(PictureRequestedEvent.eventName, UPWARDS);
  }
}

/** The link to this view is to be copied. */
export class LinkRequestedEvent extends Event {
  static readonly eventName = 'app-link-requested';
  constructor() {
    super(LinkRequestedEvent.eventName, UPWARDS);
  }
}

/** The list of kept runs is to be shown. */
export class RunsRequestedEvent extends Event {
  static readonly eventName = 'app-runs-requested';
  constructor() {
    super(RunsRequestedEvent.eventName, UPWARDS);
  }
}

/** Something is to be done with a kept run. */
export type KeptRunAction =
  | { readonly do: 'open' | 'remove'; readonly id: string }
  | { readonly do: 'rename'; readonly id: string; readonly name: string }
  | { readonly do: 'import'; readonly file: File }
  | { readonly do: 'undo' };
export class KeptRunActedEvent extends Event {
  static readonly eventName = 'app-kept-run-acted';
  constructor(readonly action: KeptRunAction) {
    super(KeptRunActedEvent.eventName, UPWARDS);
  }
}

/** Two kept runs are to be compared: the baseline, and what is judged against it. */
export class ComparisonRequestedEvent extends Event {
  static readonly eventName = 'app-comparison-requested';
  constructor(
    readonly baseline: string,
    readonly judged: string,
  ) {
    super(ComparisonRequestedEvent.eventName, UPWARDS);
  }
}

/** The model of the training estimate was edited; the other fields stay. */
export class ModelChangedEvent extends Event {
  static readonly eventName = 'app-model-changed';
  constructor(readonly change: Partial<ModelSettings>) {
    super(ModelChangedEvent.eventName, UPWARDS);
  }
}

/** The adapter is to be asked for (again). */
export class AdapterRequestedEvent extends Event {
  static readonly eventName = 'app-adapter-requested';
  constructor() {
    super(AdapterRequestedEvent.eventName, UPWARDS);
  }
}

export class ThemeChosenEvent extends Event {
  static readonly eventName = 'app-theme-chosen';
  constructor(readonly theme: Theme) {
    super(ThemeChosenEvent.eventName, UPWARDS);
  }
}

/** The language of the lab was chosen. */
export class LanguageChosenEvent extends Event {
  static readonly eventName = 'app-language-chosen';
  constructor(readonly language: Language) {
    super(LanguageChosenEvent.eventName, UPWARDS);
  }
}

export class HelpRequestedEvent extends Event {
  static readonly eventName = 'app-help-requested';
  constructor() {
    super(HelpRequestedEvent.eventName, UPWARDS);
  }
}

/** The settings of the page itself are to be shown. */
export class SettingsRequestedEvent extends Event {
  static readonly eventName = 'app-settings-requested';
  constructor() {
    super(SettingsRequestedEvent.eventName, UPWARDS);
  }
}

/** The newer version of the lab is to be taken: the page is loaded again. */
export class UpdateAcceptedEvent extends Event {
  static readonly eventName = 'app-update-accepted';
  constructor() {
    super(UpdateAcceptedEvent.eventName, UPWARDS);
  }
}

/** Presenter mode was switched on or off. */
export class PresentingSwitchedEvent extends Event {
  static readonly eventName = 'app-presenting-switched';
  constructor(readonly on: boolean) {
    super(PresentingSwitchedEvent.eventName, UPWARDS);
  }
}

/** Single-letter commands were switched on or off. */
export class KeysSwitchedEvent extends Event {
  static readonly eventName = 'app-keys-switched';
  constructor(readonly on: boolean) {
    super(KeysSwitchedEvent.eventName, UPWARDS);
  }
}

/** Fields of the plan that is edited were changed. */
export class PlanChangedEvent extends Event {
  static readonly eventName = 'app-plan-changed';
  constructor(readonly change: Partial<PlanFields>) {
    super(PlanChangedEvent.eventName, UPWARDS);
  }
}

/** Fields of the card that all plans share were changed. */
export class CardChangedEvent extends Event {
  static readonly eventName = 'app-card-changed';
  constructor(readonly change: Partial<CardFields>) {
    super(CardChangedEvent.eventName, UPWARDS);
  }
}

/** A config.json was chosen. */
export class ConfigChosenEvent extends Event {
  static readonly eventName = 'app-config-chosen';
  constructor(readonly file: File) {
    super(ConfigChosenEvent.eventName, UPWARDS);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'app-settings-changed': SettingsChangedEvent;
    'app-run-requested': RunRequestedEvent;
    'app-run-cancelled': RunCancelledEvent;
    'app-export-requested': ExportRequestedEvent;
    'app-picture-requested': PictureRequestedEvent;
    'app-link-requested': LinkRequestedEvent;
    'app-runs-requested': RunsRequestedEvent;
    'app-kept-run-acted': KeptRunActedEvent;
    'app-comparison-requested': ComparisonRequestedEvent;
    'app-model-changed': ModelChangedEvent;
    'app-adapter-requested': AdapterRequestedEvent;
    'app-theme-chosen': ThemeChosenEvent;
    'app-help-requested': HelpRequestedEvent;
    'app-settings-requested': SettingsRequestedEvent;
    'app-presenting-switched': PresentingSwitchedEvent;
    'app-keys-switched': KeysSwitchedEvent;
    'app-language-chosen': LanguageChosenEvent;
    'app-update-accepted': UpdateAcceptedEvent;
    'app-plan-changed': PlanChangedEvent;
    'app-card-changed': CardChangedEvent;
    'app-config-chosen': ConfigChosenEvent;
  }
}
