/** Counts comparisons of a golden file and keeps the first that differ, in words. */
const KEPT = 5;
const SHOWN = 160;

export class Tally {
  compared = 0;
  failed = 0;
  /** The first differences, one line each. */
  readonly differences: string[] = [];

  /** Compares plain data by its JSON. `what` names the place. */
  equal(what: () => string, got: unknown, want: unknown): void {
    this.compared++;
    if (got === want) return;
    const [gotText, wantText] = [asText(got), asText(want)];
    if (gotText === wantText) return;
    this.failed++;
    if (this.differences.length < KEPT) {
      this.differences.push(`${what()}: ${firstDifference(gotText, wantText)}`);
    }
  }
}

const asText = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** Both texts, from a little before the place where they part. */
function firstDifference(got: string, want: string): string {
  let at = 0;
  while (at < got.length && got[at] === want[at]) at++;
  const from = got.length > SHOWN || want.length > SHOWN ? Math.max(0, at - 40) : 0;
  const cut = (text: string): string => `${from > 0 ? '...' : ''}${text.slice(from, from + SHOWN)}`;
  return `model ${cut(got)}, golden ${cut(want)}`;
}
