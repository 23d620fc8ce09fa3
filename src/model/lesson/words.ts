/** The workshop's glossary, and what common sayings get wrong. Loaded when a page shows them. */
import * as v from 'valibot';

const localText = v.object({ en: v.string(), zh: v.string() });
const wordsSchema = v.object({
  glossary: v.array(v.object({ term: localText, definition: localText })),
  claims: v.array(
    v.object({
      id: v.string(),
      verdict: v.picklist(['true', 'half', 'wrong']),
      said: localText,
      correction: localText,
      /** The steps that show it. */
      steps: v.array(v.string()),
    }),
  ),
});

export type Words = v.InferOutput<typeof wordsSchema>;
export type Claim = Words['claims'][number];

/** Loads both lists. */
export async function loadWords(): Promise<Words> {
  return v.parse(wordsSchema, (await import('./data/words.json')).default);
}
