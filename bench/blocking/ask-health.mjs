// A process of its own, so that the work of the bench does not delay it: asks `/api/health` every 20 ms, also while earlier requests wait.
import { Agent, request } from "node:http";

const EVERY_MS = 20;
const url = `${process.argv[2]}/api/health`;
const agent = new Agent({ keepAlive: true });
const answers = { asked: 0, failed: 0, longestMs: 0, longestGapMs: 0 };
let open = 0;
let lastAnswerAt = performance.now();
let whenDone = null;

const timer = setInterval(ask, EVERY_MS);

function ask() {
  const askedAt = performance.now();
  answers.asked += 1;
  open += 1;
  let isOver = false;
  const end = (ok) => {
    if (isOver) return;
    isOver = true;
    const now = performance.now();
    answers.longestMs = Math.max(answers.longestMs, now - askedAt);
    answers.longestGapMs = Math.max(answers.longestGapMs, now - lastAnswerAt);
    lastAnswerAt = now;
    if (!ok) answers.failed += 1;
    open -= 1;
    if (open === 0) whenDone?.();
  };
  request(url, { agent, timeout: 60_000 }, (response) => {
    response.resume().once("end", () => end(response.statusCode === 200));
  })
    .once("timeout", function abort() {
      this.destroy(new Error("no answer"));
    })
    .once("error", () => end(false))
    .end();
}

process.on("message", () => {
  clearInterval(timer);
  const report = () => process.send(answers, () => process.exit(0));
  if (open === 0) report();
  else whenDone = report;
});
process.on("disconnect", () => process.exit(0));
process.send("ready");
