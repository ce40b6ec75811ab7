import { ALLOWS_NOTHING } from "@/lib/policy/worker-allowance";
import type { RegisterRequest } from "@/lib/worker/protocol";

/** The worker of the story, as it presents itself. */
export const STORY_WORKER: RegisterRequest = {
  name: "workshop",
  version: "0.1.0",
  platform: "linux x64",
  pid: 2417,
  slots: 2,
  isolation: "sandbox",
  isolationFacts: [
    "bubblewrap 0.8.0: namespaces of its own, no network, a read-only skill, a private file system.",
    "Each run has a user id of its own (60000 to 60063).",
    "A system call filter.",
    "Limits for memory, processes, CPU time, files and disk, for each process.",
  ],
  allows: {
    ...ALLOWS_NOTHING,
    env: [...ALLOWS_NOTHING.env, "BACKUP_ROOT", "TICKETS_FILE"],
    proxy: true,
  },
};
