import { statSync } from "node:fs";
import { parseArgs } from "node:util";
import { placeOf } from "./command-place";

export type FolderArgument = { folder: string; json: boolean };

/**
 * The words of a command that takes one folder and `--json`. A relative path is meant from where it was typed, since npm
 * runs scripts in the project's folder. Null, with a sentence on stderr and exit code 2, when there is no such folder.
 */
export function readFolderArgument(command: string): FolderArgument | null {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: "boolean", default: false } },
  });
  const [given, ...more] = positionals;
  if (given === undefined || more.length > 0) return refuse(`usage: npm run ${command} -- FOLDER [--json]`);
  const folder = placeOf(given);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return refuse(`There is no folder ${folder}.`);
  return { folder, json: values.json };
}

function refuse(sentence: string): null {
  console.error(sentence);
  process.exitCode = 2;
  return null;
}
