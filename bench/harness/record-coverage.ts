import type { Profiler } from "node:inspector";
import { Session } from "node:inspector/promises";

// This starts when the module is loaded and slows all code of the process, so that benches import it only where they use it.
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

/** The files (file: addresses) with a function that was called since the last call; evaluating a module does not count. */
export async function takeExecuted(): Promise<string[]> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return result.filter(({ functions }) => functions.some(isCalled)).map(({ url }) => url);
}

/** A function that starts at offset 0 without a name is the evaluation of the module. */
function isCalled({ functionName, ranges: [range] }: Profiler.FunctionCoverage): boolean {
  return range !== undefined && range.count > 0 && (functionName !== "" || range.startOffset > 0);
}

process.on("message", async (message: { type?: string }) => {
  if (message.type === "take-executed") process.send?.({ type: "executed", files: await takeExecuted() });
});
