import { spawn } from "node:child_process";

/** Makes calls in blocks for the bench, in its own process, since the time of a spawn grows with the memory of the caller. */
process.on("message", async ({ start, input, count, concurrency }) => {
  try {
    process.send({ series: await callAll(() => call(start, input), count, concurrency) });
  } catch (error) {
    process.send({ error: error.message });
  }
});

async function callAll(call, count, concurrency) {
  const latenciesMs = [];
  let left = count;
  const startedAt = performance.now();
  const client = async () => {
    while (left > 0) {
      left -= 1;
      const calledAt = performance.now();
      await call();
      latenciesMs.push(performance.now() - calledAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  return { latenciesMs, elapsedMs: performance.now() - startedAt };
}

function call({ program, args, options }, input) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    const child = spawn(program, args, { ...options, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.resume();
    child.once("error", reject);
    child.once("close", (code) => {
      if (code !== 0) return reject(new Error(`${program} ended with exit code ${code}`));
      const answer = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString("utf8")));
      if (answer === input) resolve();
      else reject(new Error(`${program} answered ${answer}`));
    });
    child.stdin.end(input);
  });
}
