/** What the rail of the Lab tells its page. */
import { type LabPair, type LabSettings } from '../../../app/lab/lab-settings.js';

const UPWARDS: EventInit = { bubbles: true, composed: true };

/** Another comparison was chosen. */
export class LabPairChosenEvent extends Event {
  static readonly eventName = 'app-lab-pair-chosen';
  constructor(readonly pair: LabPair) {
    super(LabPairChosenEvent.eventName, UPWARDS);
  }
}

/** Another workload was chosen: its own defaults hold. */
export class LabWorkloadChosenEvent extends Event {
  static readonly eventName = 'app-lab-workload-chosen';
  constructor(readonly workload: string) {
    super(LabWorkloadChosenEvent.eventName, UPWARDS);
  }
}

/** Some settings were edited; the others stay. */
export class LabSettingsChangedEvent extends Event {
  static readonly eventName = 'app-lab-settings-changed';
  constructor(readonly change: Partial<LabSettings>) {
    super(LabSettingsChangedEvent.eventName, UPWARDS);
  }
}

/** The flagship case is to be shown. */
export class FlagshipRequestedEvent extends Event {
  static readonly eventName = 'app-flagship-requested';
  constructor() {
    super(FlagshipRequestedEvent.eventName, UPWARDS);
  }
}

/** A trace file was chosen. */
export class TraceChosenEvent extends Event {
  static readonly eventName = 'app-trace-chosen';
  constructor(readonly file: File) {
    super(TraceChosenEvent.eventName, UPWARDS);
  }
}

/** The program that a file or a page gave is to be left for the workloads. */
export class TraceLeftEvent extends Event {
  static readonly eventName = 'app-trace-left';
  constructor() {
    super(TraceLeftEvent.eventName, UPWARDS);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'app-lab-pair-chosen': LabPairChosenEvent;
    'app-lab-workload-chosen': LabWorkloadChosenEvent;
    'app-lab-settings-changed': LabSettingsChangedEvent;
    'app-flagship-requested': FlagshipRequestedEvent;
    'app-trace-chosen': TraceChosenEvent;
    'app-trace-left': TraceLeftEvent;
  }
}
