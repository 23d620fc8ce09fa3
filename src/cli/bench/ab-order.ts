/** In which order the two sides of `--ab` are launched. */
import { type Random, shuffled } from '../../base/random.js';
import type { AbSide } from '../../model/report/ab.js';

/**
 * Which side goes first and second in each round: in seeded random order, and each side first equally often (one more
 * often by one where the rounds are odd), so that what the first launch of a round pays falls on both alike.
 */
export function abOrder(rounds: number, random: Random): readonly (readonly [AbSide, AbSide])[] {
  const [often = 'a', seldom = 'b'] = shuffled<AbSide>(['a', 'b'], random);
  const firsts = Array.from({ length: rounds }, (_, round): AbSide => (round % 2 === 0 ? often : seldom));
  return shuffled(firsts, random).map((first) => [first, first === 'a' ? 'b' : 'a']);
}
