import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { root } from "./root.mjs";

const folder = path.join(root, ".build", "server");

/**
 * Bundles the server without its pages into `.build/server`: one chunk for each route, loaded when it is first called, and
 * shared ones. Packages stay outside, so that pages and API load each of them once. Returns the program's path.
 */
export async function buildServer() {
  const { build } = await import("esbuild");
  const temporary = `${folder}.${process.pid}`;
  try {
    await build({
      absWorkingDir: root,
      entryPoints: { main: "app/api/main.ts" },
      outdir: temporary,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node20",
      alias: { "@": root },
      define: { "process.env.NODE_ENV": '"production"' },
      minifyWhitespace: true,
      minifySyntax: true,
      lineLimit: 160,
      legalComments: "none",
      logLevel: "warning",
      plugins: [withoutPackages],
    });
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(path.dirname(folder), { recursive: true });
    renameSync(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return path.join(folder, "main.mjs");
}

/** CommonJS packages whose default export Node returns as the property `default` of their exports. */
const WRAPPED_DEFAULT = new Set(["next-auth"]);

const withoutPackages = {
  name: "without-packages",
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /.*/, namespace: "wrapped-default" }, ({ path: name }) => ({
      contents: `import exported from "${name}"; export default exported.default;`,
      resolveDir: root,
    }));
    onResolve({ filter: /^[a-z]|^@[a-z]/ }, ({ path: name, kind, namespace }) => {
      // Node imports JSON only where the importing code says so.
      if (kind === "entry-point" || name.startsWith("node:") || name.endsWith(".json")) return;
      if (WRAPPED_DEFAULT.has(name) && namespace !== "wrapped-default")
        return { path: name, namespace: "wrapped-default" };
      return { path: importable(name), external: true };
    });
  },
};

/** A package without `exports` is imported with the file's ending. */
function importable(name) {
  const from = pathToFileURL(path.join(root, "package.json")).href;
  const found = import.meta.resolve(name, from);
  return found.startsWith("file:") && !existsSync(fileURLToPath(found)) ? `${name}.js` : name;
}
