// @ts-check
/** Writes folders as one zip. The same files give the same zip, byte for byte: names in order, one date for all. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { zipSync } from 'fflate';

const DATE = new Date(2000, 0, 1);

/** @param {string} folder @returns {string[]} paths of the files below it */
const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/**
 * @param {string} file where the zip goes
 * @param {Record<string, string>} folders name in the zip ('' for its top) -> folder on disk
 * @param {Record<string, string>} files name in the zip -> file on disk
 */
export function zipFolders(file, folders, files) {
  const named = Object.entries(folders).flatMap(([name, folder]) =>
    filesBelow(folder).map((path) => /** @type {const} */ ([[name, relative(folder, path)], path])),
  );
  const inside = [
    ...named.map(
      ([parts, path]) =>
        /** @type {const} */ ([
          join(...parts)
            .split(sep)
            .join('/'),
          path,
        ]),
    ),
    ...Object.entries(files),
  ].map(([name, path]) => [name, readFileSync(path)]);
  writeFileSync(file, zipSync(Object.fromEntries(inside), { level: 9, mtime: DATE }));
}
