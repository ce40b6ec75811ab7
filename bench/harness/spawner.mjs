import { spawn } from "node:child_process";

const MIB = 1024 ** 2;
const wantedMiB = Number(process.argv[2]);
const held = [];
// Written to, so that the memory is resident.
while (process.memoryUsage.rss() < wantedMiB * MIB) held.push(Buffer.alloc(MIB, held.length + 1));

process.on("message", async (count) => {
  const times = [];
  for (let index = 0; index < count; index += 1) times.push(await spawnOnce());
  process.send(times);
});

function spawnOnce() {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn("/bin/true", [], { stdio: "ignore" });
    const blockedMs = performance.now() - startedAt;
    child.once("error", reject);
    child.once("exit", () => resolve(blockedMs));
  });
}
