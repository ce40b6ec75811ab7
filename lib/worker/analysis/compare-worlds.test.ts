import { expect, it } from "vitest";
import type { StepReport } from "@/lib/policy/analysis/schema";
import { turnsDuring } from "@/lib/testing/turns-during";
import { compareWorlds } from "./compare-worlds";
import { mergeReports, unstartedStep } from "./judge-step";
import { NOTHING_RECORDED, type Recorded } from "./open-recorder";
import { noObservations } from "./read-trace";
import type { Executed } from "./run-step";

const REPORT: StepReport = { ...unstartedStep(0, ""), end: { kind: "exited", exitCode: 0 } };

type Sent = { address?: string; port?: number; text: string; connection: number };

function executed(sent: Sent[], changes: Partial<Executed> = {}, recorded: Partial<Recorded> = {}): Executed {
  const data = sent.map(({ address = "203.0.113.9", port = 80, text, connection }) => ({
    ...{ kind: "data" as const, channel: "http" as const, address, port, host: null, connection },
    bytes: Buffer.from(text).toString("base64"),
  }));
  return {
    ...{
      end: REPORT.end,
      durationMs: 1,
      observed: noObservations(),
      canaries: [],
      agent: null,
      stdout: "",
      stderr: "",
    },
    ...{ recorded: { ...NOTHING_RECORDED, data, ...recorded }, ...changes },
  };
}

/** Compares a program that sends `text` of the number of the secret and of the execution. */
async function compare(text: (secret: string, round: number) => string, report = REPORT) {
  let round = 0;
  const once = (secret: string) => {
    round += 1;
    return executed([{ text: text(secret, round), connection: round }]);
  };
  const found = await compareWorlds(report, once("A"), async (world) => once(world === "same" ? "A" : "B"));
  return { sent: found.sent.map(({ to, encoding }) => `${encoding} to ${to}`), varying: found.varying, round };
}

it("finds what changes with the secrets, in any form", async () => {
  const found = { sent: ["unknown to 203.0.113.9:80"], varying: undefined, round: 8 };
  expect(await compare((secret) => `x=${secret.charCodeAt(0) * 7}`)).toEqual(found);
});

it("needs one more execution where nothing changes", async () => {
  expect(await compare(() => "the same")).toEqual({ sent: [], varying: undefined, round: 2 });
});

it("accuses no program whose messages change by themselves, also with the clock", async () => {
  const varying = { sent: [], varying: ["203.0.113.9"], round: 3 };
  expect(await compare((_secret, round) => `nonce ${round}`)).toEqual(varying);
  expect(await compare((_secret, round) => `minute ${Math.floor((round + 1) / 3)}`)).toEqual(varying);
  expect(await compare((secret, round) => `${secret} ${round}`)).toEqual(varying);
});

/** Bits that look random, the same for each seed. */
function bitsOf(seed: number): () => number {
  let state = Math.imul(seed, 40_503);
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state >>> 31;
  };
}

it("takes a choice among two for each of many hosts for no secret", async () => {
  const accused = async (seed: number) => {
    const next = bitsOf(seed);
    const once = () =>
      executed(
        Array.from({ length: 30 }, (_, index) => ({
          address: `203.0.113.${index}`,
          text: `browser ${next()}`,
          connection: index + 1,
        })),
      );
    const { sent } = await compareWorlds(REPORT, once(), async () => once());
    return sent.length;
  };
  const counts = await Promise.all(Array.from({ length: 100 }, (_, seed) => accused(seed + 1)));
  expect(counts.filter((count) => count > 0).length).toBeLessThanOrEqual(3);
});

it("accuses no program that is too slow for all comparisons", async () => {
  const once = (secret: string) => executed([{ text: `x=${secret}`, connection: 1 }]);
  let round = 0;
  const { sent, varying } = await compareWorlds(REPORT, once("A"), async (world) => {
    round += 1;
    return round > 3 ? null : once(world === "same" ? "A" : "B");
  });
  expect([sent, varying]).toEqual([[], ["203.0.113.9"]]);
});

const unknownIn = ({ sent }: StepReport) => sent.filter(({ encoding }) => encoding === "unknown");

it("lets other work have its turn after each connection", async () => {
  const many = executed(Array.from({ length: 30 }, (_, index) => ({ text: "x".repeat(1_000), connection: index + 1 })));
  const turns = await turnsDuring(() => compareWorlds(REPORT, many, async () => many));
  expect(turns).toBeGreaterThanOrEqual(60);
});

it("leaves secrets in known forms out, and tells boundaries of forms from data", async () => {
  const worlds = { same: "Qm9iIGFuZCBBbGljZSBhcmUgaGVyZQ07", other: "x7Kp2mVbN4sWqLzR9tYcDfGhJkA3eU8i" };
  const inForm = (form: (token: string) => string, more: (token: string) => string = () => "") => {
    const once = (token: string) => ({
      ...executed([{ text: `login ${form(token)} ${more(token)}`, connection: 1 }]),
      canaries: [{ name: "$T", token, path: null }],
    });
    const sent = [{ canary: "$T", encoding: "clear" as const, channel: "http" as const, to: "203.0.113.9:80" }];
    return compareWorlds({ ...REPORT, sent }, once(worlds.same), async (world) => once(worlds[world]));
  };
  const base64 = (token: string) => Buffer.from(`dev:${token}`).toString("base64");
  const hex = (token: string) => Buffer.from(token).toString("hex");
  for (const form of [(token: string) => token, base64, hex]) expect(unknownIn(await inForm(form))).toEqual([]);
  // Another one beside it is found all the same.
  const hidden = (token: string) => String(token.charCodeAt(0) * 3);
  expect(unknownIn(await inForm(base64, hidden))).toHaveLength(1);
  const form = (_secret: string, round: number) =>
    `POST / HTTP/1.1\r\ncontent-type: multipart/form-data; boundary=--------${round}abcdefgh\r\n\r\n--------${round}abcdefgh x`;
  expect(await compare(form)).toMatchObject({ sent: [], varying: undefined, round: 3 });
  const withItself = (secret: string) => `${form("", 1)} ${secret === "A" ? "--------1abcdefgh" : "boundary"}`;
  expect((await compare(withItself)).sent).toHaveLength(1);
  const asBoundary = (secret: string) => form(secret, secret.charCodeAt(0) * 1111);
  expect((await compare(asBoundary)).sent).toHaveLength(1);
  expect((await compare((secret) => `GET /?boundary=${secret}aaaaaaaaaaaa HTTP/1.1\r\n\r\n`)).sent).toHaveLength(1);
});

it("takes connections in any order, and ports and names that change for data", async () => {
  const two = (one: string, other: string) =>
    executed([
      { text: one, connection: 1 },
      { text: other, connection: 2 },
    ]);
  let turn = 0;
  const swapped = await compareWorlds(REPORT, two("a", "b"), async () => {
    turn += 1;
    return turn < 3 ? two("b", "a") : two("a", "b");
  });
  expect(swapped).toMatchObject({ sent: [] });
  expect(swapped.varying).toBeUndefined();
  const asks = (name: string) =>
    executed(
      [],
      {},
      { names: [{ kind: "name", name: `${name}.x.example`, address: "198.18.0.1", server: "10.0.2.3", bytes: "" }] },
    );
  const repeats = (names: string[]) => {
    const asked = { kind: "name" as const, address: "198.18.0.1", server: "10.0.2.3", bytes: "" };
    return executed([], {}, { names: names.map((name) => ({ ...asked, name: `${name}.x.example` })) });
  };
  const ordered = await compareWorlds(REPORT, repeats(["a", "b", "a", "b"]), async (world) =>
    repeats(world === "same" ? ["a", "b", "a", "b"] : ["a", "b", "b", "a"]),
  );
  expect(ordered.sent).toHaveLength(1);
  const named = await compareWorlds(REPORT, asks("a1"), async (world) => asks(world === "same" ? "a1" : "b2"));
  expect(named.sent.map(({ to }) => to)).toEqual(["x.example"]);
});

it("finds a secret in the order of requests and the types of questions", async () => {
  const inOrder = (texts: string[]) => executed(texts.map((text, index) => ({ text, connection: index + 1 })));
  const ordered = await compareWorlds(REPORT, inOrder(["a", "b"]), async (world) =>
    inOrder(world === "same" ? ["a", "b"] : ["b", "a"]),
  );
  expect(ordered.sent).toHaveLength(1);
  const onPorts = (ports: number[]) =>
    executed(ports.map((port, index) => ({ port, text: "a", connection: index + 1 })));
  const places = await compareWorlds(REPORT, onPorts([80, 8080]), async (world) =>
    onPorts(world === "same" ? [80, 8080] : [8080, 80]),
  );
  expect(places.sent).toHaveLength(2);
  // What is beside them is not accused.
  const beside = (secret: string) =>
    executed([
      { port: 443, text: `x=${secret}`, connection: 1 },
      { address: "203.0.113.10", text: "a", connection: 2 },
      { address: "203.0.113.11", text: "b", connection: 3 },
    ]);
  const one = await compareWorlds(REPORT, beside("A"), async (world) => beside(world === "same" ? "A" : "B"));
  expect(one.sent.map(({ to }) => to)).toEqual(["203.0.113.9:443"]);
  const inTurns = (connections: number[]) => executed(connections.map((connection) => ({ text: "x", connection })));
  const interleaved = await compareWorlds(REPORT, inTurns([1, 2, 1, 2]), async (world) =>
    inTurns(world === "same" ? [1, 2, 1, 2] : [1, 2, 2, 1]),
  );
  expect(interleaved.sent).toHaveLength(1);
  let round = 0;
  const racing = await compareWorlds(REPORT, inOrder(["a", "b"]), async () => {
    round += 1;
    return inOrder(round < 3 ? ["b", "a"] : ["a", "b"]);
  });
  expect(racing).toMatchObject({ sent: [] });
});

it("says nothing of what was not compared, and keeps its count of what was not searched", async () => {
  const report = { ...REPORT, beyond: { search: 2 } };
  const one = executed([{ text: "x", connection: 1 }]);
  const cut = await compareWorlds(report, one, async () => null);
  expect(cut).toMatchObject({ varying: ["203.0.113.9"], beyond: { search: 2 } });
  const lost = executed([{ text: "x", connection: 1 }], {}, { beyond: 1 });
  expect((await compareWorlds(report, lost, async () => one)).varying).toEqual(["203.0.113.9"]);
  const stopped = executed([{ text: "x", connection: 1 }], { end: { kind: "stopped", reason: "" } });
  expect((await compareWorlds(report, one, async () => stopped)).varying).toEqual(["203.0.113.9"]);
  // The same with other secrets: what could not be read has none.
  expect(await compareWorlds(report, one, async () => one)).toMatchObject({ beyond: {} });
});

it("joins what two executions of a step did", () => {
  const deed = (what: string) => ({ kind: "read_canary" as const, what });
  const one: StepReport = {
    ...REPORT,
    deeds: [deed("a")],
    names: ["a.example"],
    beyond: { search: 1 },
    varying: ["a"],
  };
  const other: StepReport = {
    ...REPORT,
    deeds: [deed("a"), deed("b")],
    names: ["b.example"],
    beyond: { search: 3, network: 1 },
  };
  const at = (address: string, name: string | null) => ({
    ...{ address, name, port: 80, protocol: "tcp" as const, answered: true },
  });
  const addresses = mergeReports(
    { ...REPORT, addresses: [at("198.18.0.1", "a.example"), at("203.0.113.1", null)] },
    { ...REPORT, addresses: [at("198.18.0.2", "a.example"), at("203.0.113.2", null)] },
  ).addresses.map(({ address, name }) => name ?? address);
  expect(addresses).toEqual(["a.example", "203.0.113.1", "203.0.113.2"]);
  expect(mergeReports(one, other)).toMatchObject({
    ...{
      deeds: [deed("a"), deed("b")],
      names: ["a.example", "b.example"],
      beyond: { search: 3, network: 1 },
      varying: ["a"],
    },
  });
});
