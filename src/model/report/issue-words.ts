/** What the schema library says of a value, as a sentence that the page has in every language. */
import { type BaseIssue } from 'valibot';
import { say } from '../../base/said.js';

/** The message of an issue: the schema's own where it has one, else the library's. */
export function issueWords({ message, expected, received }: BaseIssue<unknown>): string {
  const kind = /^Invalid ([a-z ]+): /.exec(message)?.[1];
  if (kind === undefined) return message;
  return expected === null
    ? say`Invalid ${kind}: Received ${received}`
    : say`Invalid ${kind}: Expected ${expected} but received ${received}`;
}
