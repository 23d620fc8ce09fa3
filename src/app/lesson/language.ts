/** The language of the lab, as the lessons' texts have it. */
import { type Language } from '../../model/lesson/local-text.js';

/** What the document says; whoever switches the language of the lab sets `lang`. */
export const labLanguage = (): Language => (document.documentElement.lang.startsWith('zh') ? 'zh' : 'en');
