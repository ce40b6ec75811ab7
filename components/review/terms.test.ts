import { expect, test } from "vitest";
import { linesOf, pathLines, pathsOf, timeLimitOf } from "./terms";

test("lines are trimmed and deduplicated", () => {
  expect(linesOf(" a \n\nb\na\n")).toEqual(["a", "b"]);
});

test("paths are read-only unless marked rw, and round-trip", () => {
  const paths = pathsOf("/var/log\nrw /srv/my data\nro /etc/hosts");
  expect(paths).toEqual([
    { path: "/var/log", mode: "ro" },
    { path: "/srv/my data", mode: "rw" },
    { path: "/etc/hosts", mode: "ro" },
  ]);
  expect(pathsOf(pathLines(paths))).toEqual(paths);
});

test("shows the time limit that runs would get: as granted, else as declared, at most the server’s", () => {
  const version = { declaredGrants: { timeoutSeconds: 90 }, timeLimitSeconds: 60, maxTimeLimitSeconds: 60 };
  expect(timeLimitOf(version, { timeoutSeconds: 45 })).toBe(45);
  expect(timeLimitOf(version, {})).toBe(60);
  expect(timeLimitOf(version, { timeoutSeconds: 600 })).toBe(60);
});
