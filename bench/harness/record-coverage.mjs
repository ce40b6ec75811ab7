// Loaded before a program: says on request which files of the project had a function executed since the request before.
import { Session } from "node:inspector/promises";

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

/** The files (file: addresses) that had one of their functions called since the last call; evaluating a module does not count. */
export async function takeExecuted() {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return result
    .filter(
      ({ functions }) => functions.some((f) => f.functionName !== "" && f.ranges[0].count > 0) || hasUnnamed(functions),
    )
    .map(({ url }) => url);
}

/** A callback without a name was called; the first function of a file is the module itself. */
function hasUnnamed(functions) {
  return functions.some(
    ({ functionName, ranges: [range] }) => functionName === "" && range.startOffset > 0 && range.count > 0,
  );
}

process.on("message", async (message) => {
  if (message?.type === "take-executed") process.send?.({ type: "executed", files: await takeExecuted() });
});
