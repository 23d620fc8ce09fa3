/** What the parts of Diagnose tell their page. */
import { type Picture } from '../../app/diagnose/diagnose-view.js';

const UPWARDS: EventInit = { bubbles: true, composed: true };

/** Files were chosen or dropped. */
export class FilesChosenEvent extends Event {
  static readonly eventName = 'app-files-chosen';
  constructor(readonly files: readonly File[]) {
    super(FilesChosenEvent.eventName, UPWARDS);
  }
}

/** A text is to be explained. */
export class TextGivenEvent extends Event {
  static readonly eventName = 'app-text-given';
  constructor(readonly text: string) {
    super(TextGivenEvent.eventName, UPWARDS);
  }
}

/** One of the examples is to be opened. */
export type SampleName = 'snapshot' | 'text';
export class SampleRequestedEvent extends Event {
  static readonly eventName = 'app-sample-requested';
  constructor(readonly sample: SampleName) {
    super(SampleRequestedEvent.eventName, UPWARDS);
  }
}

/** A file on the desk is to be shown, or taken away (while it is read: cancelled). */
export type FileAction = { readonly do: 'show' | 'close'; readonly id: number } | { readonly do: 'compare' };
export class FileActedEvent extends Event {
  static readonly eventName = 'app-file-acted';
  constructor(readonly action: FileAction) {
    super(FileActedEvent.eventName, UPWARDS);
  }
}

/** The question was edited; what is not named stays. `capacity` and `conf` as they were written. */
export interface QuestionChange {
  readonly capacity?: string;
  readonly conf?: string;
  readonly device?: number;
}
export class QuestionChangedEvent extends Event {
  static readonly eventName = 'app-question-changed';
  constructor(readonly change: QuestionChange) {
    super(QuestionChangedEvent.eventName, UPWARDS);
  }
}

/** Something is to be done with a row of the what-if table, or with all of them. */
export type SweepAction =
  | { readonly do: 'add'; readonly conf: string; readonly allocator: string }
  | { readonly do: 'remove' | 'open'; readonly row: number }
  | { readonly do: 'stop' }
  | { readonly do: 'resume' };
export class SweepActedEvent extends Event {
  static readonly eventName = 'app-sweep-acted';
  constructor(readonly action: SweepAction) {
    super(SweepActedEvent.eventName, UPWARDS);
  }
}

/** The memory view is to go to an entry of the trace. */
export class EventRequestedEvent extends Event {
  static readonly eventName = 'app-event-requested';
  constructor(readonly event: number) {
    super(EventRequestedEvent.eventName, UPWARDS);
  }
}

/** The playhead rests at an entry of the trace. */
export class EventRestedEvent extends Event {
  static readonly eventName = 'app-event-rested';
  constructor(readonly event: number) {
    super(EventRestedEvent.eventName, UPWARDS);
  }
}

/** The trace is not to be rebuilt: the file goes off the desk. */
export class RebuildCancelledEvent extends Event {
  static readonly eventName = 'app-rebuild-cancelled';
  constructor() {
    super(RebuildCancelledEvent.eventName, UPWARDS);
  }
}

/** Another picture of the trace is to be shown. */
export class PictureChosenEvent extends Event {
  static readonly eventName = 'app-picture-chosen';
  constructor(readonly picture: Picture) {
    super(PictureChosenEvent.eventName, UPWARDS);
  }
}

/** The diagnosis is to be saved. */
export type DiagnosisFormat = 'html' | 'json';
export class DiagnosisExportEvent extends Event {
  static readonly eventName = 'app-diagnosis-export';
  constructor(readonly format: DiagnosisFormat) {
    super(DiagnosisExportEvent.eventName, UPWARDS);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'app-files-chosen': FilesChosenEvent;
    'app-text-given': TextGivenEvent;
    'app-sample-requested': SampleRequestedEvent;
    'app-file-acted': FileActedEvent;
    'app-question-changed': QuestionChangedEvent;
    'app-sweep-acted': SweepActedEvent;
    'app-event-requested': EventRequestedEvent;
    'app-event-rested': EventRestedEvent;
    'app-rebuild-cancelled': RebuildCancelledEvent;
    'app-picture-chosen': PictureChosenEvent;
    'app-diagnosis-export': DiagnosisExportEvent;
  }
}
