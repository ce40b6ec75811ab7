import { Failure } from "../failure.mjs";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMs = 100;
const reminderMs = 30_000;

/**
 * Shows a preparation step with its elapsed time: live on a terminal, else as lines. Writes to stderr, so that JSON on
 * stdout stays usable.
 */
export async function showProgress(label, work, stream = process.stderr) {
  const startedAt = Date.now();
  const elapsed = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const stop = stream.isTTY ? spin(label, elapsed, stream) : remind(label, elapsed, stream);
  try {
    const result = await work();
    stop(`✓ ${label} (${elapsed()})`);
    return result;
  } catch (error) {
    stop(`✗ ${label} (${elapsed()})`);
    throw error;
  }
}

/** Failure of a command with the end of its output. */
export function commandFailure(message, { output }, hint = "") {
  // npm prints its usage after the reason.
  const tail = output
    .split(/^npm error Usage:/m)[0]
    .trimEnd()
    .split("\n")
    .slice(-40)
    .join("\n");
  return new Failure(hint ? `${message}\n${hint}` : message, { details: tail });
}

function spin(label, elapsed, stream) {
  let frame = 0;
  const timer = setInterval(() => {
    stream.write(`\r\x1b[K${frames[frame++ % frames.length]} ${label} (${elapsed()})`);
  }, frameMs);
  return (line) => {
    clearInterval(timer);
    stream.write(`\r\x1b[K${line}\n`);
  };
}

function remind(label, elapsed, stream) {
  stream.write(`  ${label} …\n`);
  const timer = setInterval(() => stream.write(`  ${label}: still working (${elapsed()})\n`), reminderMs);
  return (line) => {
    clearInterval(timer);
    stream.write(`${line}\n`);
  };
}
