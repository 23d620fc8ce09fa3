/** What parts tell the pages. Each is one class, typed on every listener. */
import { type RunSettings } from '../app/settings.js';
import { type Theme } from '../app/url-state.js';

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

export class ReportRequestedEvent extends Event {
  static readonly eventName = 'app-report-requested';
  constructor() {
    super(ReportRequestedEvent.eventName, UPWARDS);
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

export class HelpRequestedEvent extends Event {
  static readonly eventName = 'app-help-requested';
  constructor() {
    super(HelpRequestedEvent.eventName, UPWARDS);
  }
}

/** Single-letter commands were switched on or off. */
export class KeysSwitchedEvent extends Event {
  static readonly eventName = 'app-keys-switched';
  constructor(readonly on: boolean) {
    super(KeysSwitchedEvent.eventName, UPWARDS);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'app-settings-changed': SettingsChangedEvent;
    'app-run-requested': RunRequestedEvent;
    'app-run-cancelled': RunCancelledEvent;
    'app-report-requested': ReportRequestedEvent;
    'app-adapter-requested': AdapterRequestedEvent;
    'app-theme-chosen': ThemeChosenEvent;
    'app-help-requested': HelpRequestedEvent;
    'app-keys-switched': KeysSwitchedEvent;
  }
}
