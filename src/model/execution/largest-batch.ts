/** The largest batch that fits, by search. */

/**
 * The largest whole number from 1 to `most` for which `fits` holds, where everything below one that fits fits as well;
 * 0 when not even 1 does. Doubles, then halves the interval: about 2 log2(n) calls.
 */
export async function largestFitting(most: number, fits: (batch: number) => Promise<boolean>): Promise<number> {
  let good = 0;
  let bad = 1;
  while (bad <= most && (await fits(bad))) {
    good = bad;
    bad *= 2;
  }
  bad = Math.min(bad, most + 1);
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (await fits(middle)) good = middle;
    else bad = middle;
  }
  return good;
}
