import { expect, it } from "vitest";
import type { Bubblewrap } from "../sandbox/isolation";
import { bubblewrapLaunch } from "./direct-launcher";

it("bubblewrap starts under the given user id, even if the run's command contains CAP_SETPCAP", () => {
  const isolation = {
    kind: "bubblewrap",
    program: "/usr/bin/bwrap",
    seccomp: null,
    store: null,
  } as unknown as Bubblewrap;
  const args = ["--cap-drop", "ALL", "--", "/skill/run", "CAP_SETPCAP"];
  expect(bubblewrapLaunch(isolation, args, { env: {}, uid: 61_000 })).toMatchObject({
    words: ["/usr/bin/bwrap", ...args],
    uid: 61_000,
  });
});
