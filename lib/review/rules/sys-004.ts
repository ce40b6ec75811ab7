import type { Rule } from "../scan/rule";
import { unlessShownAsBad } from "./evidence/is-shown-as-bad";

export const containerEscape: Rule = {
  id: "SYS-004",
  version: 1,
  severity: "high",
  title: "Reaches out of a container",
  why: "With this, what runs inside a container has the machine around it.",
  owasp: ["ASI03", "ASI05"],
  patterns: [
    {
      hints: ["nsenter", "chroot /host", "release_agent", "/proc/1/root"],
      re: String.raw`\bnsenter\b[^\n]*(?:-t\s*1\b|--target[= ]1\b)|\bchroot\s+/(?:host|mnt)\w*\s+(?:/bin/)?(?:ba)?sh|\brelease_agent\b[^\n]*(?:=|>)|/proc/1/root/(?:etc|root|home)`,
      weigh: unlessShownAsBad("info"),
    },
    {
      hints: ["docker", "podman"],
      re: String.raw`\b(?:docker|podman)\s+run\b[^\n]*(?:-v\s*/:/\w*|--volume[= ]/:/|--mount[^\n]*source=/,|--pid[= ]host[^\n]*--privileged|--privileged[^\n]*--pid[= ]host)`,
      weigh: unlessShownAsBad("info"),
    },
    {
      hints: ["docker.sock", "--privileged", "privileged: true"],
      re: String.raw`/var/run/docker\.sock|\b(?:docker|podman)\s+run\b[^\n]*--privileged|\bprivileged:\s*true`,
      // Build machines and dashboards need it; a reviewer should know.
      weigh: unlessShownAsBad("info", ({ line }) =>
        /curl\b[^\n]*--unix-socket[^\n]*\/containers\/create/i.test(line) ? true : "medium",
      ),
    },
  ],
};
