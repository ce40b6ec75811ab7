import type { TaskJob } from "./run-task";
import { serveJobs } from "./serve-jobs";
import { buffersOf, TASKS, type Tasks } from "./tasks";

/** Entry point of the task thread, bundled by `bin/build-programs.mjs`. */
serveJobs<TaskJob, unknown>("1", async ({ name, input }) => {
  const result = await run(name, input);
  return { result, transfer: buffersOf(result) };
});

function run<Name extends keyof Tasks>(name: Name, input: unknown): Promise<Tasks[Name]["output"]> {
  return TASKS[name](input as Tasks[Name]["input"]);
}
