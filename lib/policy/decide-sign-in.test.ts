import { expect, test } from "vitest";
import { decideSignIn, type Identity, type JoinRules } from "./decide-sign-in";

const identity: Identity = {
  provider: "oidc",
  issuer: "https://login.example.test",
  subject: "7",
  label: "ada@example.test",
  name: "Ada",
  email: "ada@example.test",
  domain: "example.test",
  organisations: [],
  groups: [],
};
const closed: JoinRules = { connectByEmail: false, domains: [], organisations: [], groups: [] };
const active = { id: "p1", state: "active" };
const invited = { id: "p1", state: "invited" };
const disabled = { id: "p1", state: "disabled" };

const admit = (change: Partial<Parameters<typeof decideSignIn>[0]>) =>
  decideSignIn({ identity, connected: null, sameEmail: null, rules: closed, ...change });
const refused = (code: string) => ({ kind: "refuse", code });
const unverified = { ...identity, email: null };

test.each([
  ["a connected person enters", { connected: active }, { kind: "enter", userId: "p1" }],
  ["and needs no address for it", { connected: active, identity: unverified }, { kind: "enter", userId: "p1" }],
  [
    "also when another person has the same address",
    { connected: active, sameEmail: { id: "p2", state: "disabled" } },
    { kind: "enter", userId: "p1" },
  ],
  ["a disabled person does not", { connected: disabled }, refused("PersonDisabled")],
  [
    "not even by a domain that may join",
    { sameEmail: disabled, rules: { ...closed, domains: ["example.test"], connectByEmail: true } },
    refused("PersonDisabled"),
  ],
  ["an invited person joins by their address", { sameEmail: invited }, { kind: "accept", userId: "p1" }],
  ["but not by one that is not verified", { sameEmail: invited, identity: unverified }, refused("EmailNotVerified")],
  ["a person with an active account connects first", { sameEmail: active }, refused("ConnectFirst")],
  [
    "or is found by their address when the settings say so",
    { sameEmail: active, rules: { ...closed, connectByEmail: true } },
    { kind: "connect", userId: "p1" },
  ],
  [
    "never by one that is not verified",
    { sameEmail: active, identity: unverified, rules: { ...closed, connectByEmail: true } },
    refused("EmailNotVerified"),
  ],
  ["a stranger is refused", {}, refused("NotInvited")],
  [
    "unless their domain may join",
    { rules: { ...closed, domains: ["example.test"] } },
    { kind: "join", by: "the domain example.test" },
  ],
  ["the whole of it", { rules: { ...closed, domains: ["test", "le.test"] } }, refused("NotInvited")],
  [
    "or one of their organisations",
    { identity: { ...identity, organisations: ["quarry"] }, rules: { ...closed, organisations: ["quarry"] } },
    { kind: "join", by: "the organisation quarry" },
  ],
  [
    "or one of their groups",
    { identity: { ...identity, groups: ["staff"] }, rules: { ...closed, groups: ["staff"] } },
    { kind: "join", by: "the group staff" },
  ],
  [
    "which is not an organisation of the same name",
    { identity: { ...identity, groups: ["staff"] }, rules: { ...closed, organisations: ["staff"] } },
    refused("NotInvited"),
  ],
  [
    "and never without a verified address",
    {
      identity: { ...unverified, groups: ["staff"] },
      rules: { ...closed, groups: ["staff"], domains: ["example.test"] },
    },
    refused("EmailNotVerified"),
  ],
] as const)("%s", (_what, change, expected) => {
  expect(admit(change as Parameters<typeof admit>[0])).toEqual(expected);
});
