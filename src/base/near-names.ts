/** Names near one that is not known, for messages: "did you mean ...". */

/** Changes of one letter (insert, delete, replace) that lead from one text to the other. */
function distance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replace = (previous[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      row.push(Math.min(replace, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[to.length] ?? 0;
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Up to `most` of the known names that are near the given one, nearest first: those that start alike or differ by few
 * letters, whatever their case and punctuation. Empty when none is near.
 */
export function nearNames(given: string, known: readonly string[], most = 3): string[] {
  const wanted = plain(given);
  if (wanted === '') return [];
  return known
    .map((name) => {
      const candidate = plain(name);
      const holds = candidate.includes(wanted) || wanted.includes(candidate);
      return { name, far: distance(wanted, candidate) - (holds ? wanted.length : 0) };
    })
    .filter(({ far }) => far <= Math.max(2, Math.floor(wanted.length / 3)))
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ name }) => name);
}
