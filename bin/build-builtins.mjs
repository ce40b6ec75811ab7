import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { isFresh } from "./build-bundle.mjs";
import { root } from "./root.mjs";

const folder = "lib/worker/builtins";
const sources = [
  folder,
  "lib/core/find-program.ts",
  "lib/core/outgoing",
  "lib/core/errors.ts",
  "lib/policy/grants",
  "lib/skill-format/archive/skill-file.ts",
  "package.json",
  "package-lock.json",
  "bin/build-builtins.mjs",
];
/** The worker replaces it with its own Node, or starts the entry with that. */
const banner = "#!/skillgate/node";

/**
 * Builds `<into>/<name>/{skill.json,main.mjs}` for every file in lib/worker/builtins, and `manifest.json` with digest,
 * class, scope and grants, unless they are newer than their sources. The same sources give the same bytes on every
 * machine. Warns of built-ins without a class. Returns the folder.
 */
export async function buildBuiltins({ into = path.join(root, ".build", "builtins"), log = console.error } = {}) {
  if (isFresh(path.join(into, "manifest.json"), sources)) return into;
  const esbuild = await import("esbuild");
  const names = listNames();
  mkdirSync(path.dirname(into), { recursive: true });
  const temporary = mkdtempSync(`${into}.`);
  try {
    const described = await readMetadata(esbuild, names, temporary);
    const builtins = [];
    for (const one of described) {
      if (!one.declaresClass) log(`The built-in ${one.name} does not declare its class; it counts as safe.`);
      builtins.push(await writeBuiltin(esbuild, one, temporary));
    }
    const release = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")).version;
    writeFileSync(path.join(temporary, "manifest.json"), `${JSON.stringify({ release, builtins }, null, 2)}\n`);
    chmodSync(temporary, 0o755);
    replace(into, temporary);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return into;
}

function replace(into, temporary) {
  rmSync(into, { recursive: true, force: true });
  try {
    renameSync(temporary, into);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes(error.code)) throw error;
  }
}

function listNames() {
  return readdirSync(path.join(root, folder))
    .filter((file) => /^[a-z0-9_]+\.ts$/.test(file) && statSync(path.join(root, folder, file)).isFile())
    .map((file) => file.slice(0, -".ts".length))
    .sort();
}

/** Evaluates the metadata of all files at once, in a temporary bundle. */
async function readMetadata(esbuild, names, temporary) {
  const imports = names.map((name, index) => `import { metadata as m${index} } from "./${name}";`);
  const list = names.map((name, index) => `describeBuiltin(${JSON.stringify(name)}, m${index})`);
  const program = [
    ...imports,
    'import { describeBuiltin } from "./kit/describe-builtin";',
    `export const builtins = [${list.join(", ")}];`,
  ].join("\n");
  const file = path.join(temporary, "describe.mjs");
  writeFileSync(file, await bundle(esbuild, program));
  try {
    return (await import(pathToFileURL(file).href)).builtins;
  } finally {
    rmSync(file);
  }
}

async function writeBuiltin(esbuild, { name, skillJson, defaults, paths, ...released }, temporary) {
  const program = [
    `import { execute } from "./${name}";`,
    'import { runBuiltin } from "./kit/run-builtin";',
    `await runBuiltin(${JSON.stringify({ defaults, paths }).replace(/^\{/, "{ execute, ")});`,
  ].join("\n");
  const files = [
    { path: "main.mjs", mode: "755", text: await bundle(esbuild, program, { banner: { js: banner } }) },
    { path: "skill.json", mode: "644", text: `${JSON.stringify(skillJson, null, 2)}\n` },
  ];
  mkdirSync(path.join(temporary, name));
  for (const file of files) {
    writeFileSync(path.join(temporary, name, file.path), file.text, { mode: Number.parseInt(file.mode, 8) });
  }
  return {
    name,
    digest: digestOf(files),
    class: released.class,
    scope: released.scope,
    grants: released.grants,
    ...(released.context === undefined ? {} : { context: released.context }),
  };
}

async function bundle(esbuild, contents, options = {}) {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: path.join(root, folder), sourcefile: "main.ts", loader: "ts" },
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    charset: "utf8",
    alias: { "@": root },
    legalComments: "none",
    logLevel: "warning",
    ...options,
  });
  return outputFiles[0].text;
}

/** As in lib/skill-format/archive/skill-file.ts; both paths are ASCII and already sorted. */
function digestOf(files) {
  const sha256 = (text) => createHash("sha256").update(text).digest("hex");
  return sha256(files.map((file) => `${file.path}\0${file.mode}\0${sha256(file.text)}\n`).join(""));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await buildBuiltins();
