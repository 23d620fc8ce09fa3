/** placeholder until zhdiag lands */
export const say = (strings: TemplateStringsArray, ...values: readonly (string | number | boolean)[]): string =>
  strings.reduce((text, part, i) => `${text}${String(values[i - 1])}${part}`);
