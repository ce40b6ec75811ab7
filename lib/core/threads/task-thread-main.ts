import type { TaskJob } from "./run-task";
import { serveJobs } from "./serve-jobs";
import { TASKS, type Tasks } from "./tasks";
import { buffersOf } from "./transferred";

/** Entry point of the task thread, bundled by `bin/build-task-thread.mjs`. */
serveJobs<TaskJob, unknown>("1", async ({ name, input }) => {
  const result = await run(name, input);
  return { result, transfer: buffersOf(result) };
});

function run<Name extends keyof Tasks>(name: Name, input: unknown): Promise<Tasks[Name]["output"]> {
  return TASKS[name](input as Tasks[Name]["input"]);
}
