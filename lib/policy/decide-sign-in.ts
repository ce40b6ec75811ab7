/** A person as an identity provider reports them. Only `issuer` with `subject` identifies; all other fields may change. */
export type Identity = {
  provider: "oidc" | "google" | "github";
  issuer: string;
  subject: string;
  label: string;
  name: string;
  /** Null unless the provider has verified the address. */
  email: string | null;
  domain: string | null;
  /** The configured organisations and groups that the person belongs to. */
  organisations: string[];
  groups: string[];
};

/** Settings for joining without an invitation. Domains and organisations are in lower case. */
export type JoinRules = {
  /** The first sign-in with a provider may connect to an existing person by the verified address. */
  connectByEmail: boolean;
  domains: string[];
  organisations: string[];
  groups: string[];
};

export type SignInRules = JoinRules & { passwords: boolean };

type Known = { id: string; state: string };

/** Stable codes: used in addresses, in the audit log and in the docs. */
export type SignInRefusal = "EmailNotVerified" | "NotInvited" | "PersonDisabled" | "ConnectFirst";

export type SignInDecision =
  | { kind: "enter" | "accept" | "connect"; userId: string }
  | { kind: "join"; by: string }
  | { kind: "refuse"; code: SignInRefusal };

/**
 * Decides whether a provider's identity may sign in. A connected identity signs in as its person. Otherwise the verified
 * address decides: it accepts an invitation; it connects to an existing person only when the settings allow that, since access
 * to a mailbox is no proof of the password; or it lets a new person join whose domain, organisation or group is allowed.
 */
export function decideSignIn(input: {
  identity: Identity;
  connected: Known | null;
  sameEmail: Known | null;
  rules: JoinRules;
}): SignInDecision {
  const { identity, connected, rules } = input;
  if (connected?.state === "active") return { kind: "enter", userId: connected.id };
  if (connected?.state === "disabled") return refuse("PersonDisabled");
  if (identity.email === null) return refuse("EmailNotVerified");
  const person = connected ?? input.sameEmail;
  if (person?.state === "invited") return { kind: "accept", userId: person.id };
  if (person?.state === "active") {
    return rules.connectByEmail ? { kind: "connect", userId: person.id } : refuse("ConnectFirst");
  }
  if (person !== null) return refuse("PersonDisabled");
  const by = whyJoin(identity, rules);
  return by === null ? refuse("NotInvited") : { kind: "join", by };
}

function whyJoin(identity: Identity, rules: JoinRules): string | null {
  if (identity.domain !== null && rules.domains.includes(identity.domain)) return `the domain ${identity.domain}`;
  const organisation = identity.organisations.find((name) => rules.organisations.includes(name));
  if (organisation !== undefined) return `the organisation ${organisation}`;
  const group = identity.groups.find((name) => rules.groups.includes(name));
  return group === undefined ? null : `the group ${group}`;
}

function refuse(code: SignInRefusal): SignInDecision {
  return { kind: "refuse", code };
}
