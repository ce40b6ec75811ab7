/** Whom a provider says it is. `issuer` and `subject` together are the identity; everything else may change or be shared. */
export type Identity = {
  provider: "oidc" | "google" | "github";
  issuer: string;
  subject: string;
  /** As the provider calls the account: its login or its email address. */
  label: string;
  name: string;
  /** Only an address that the provider has verified and answers for; null for every other one. */
  email: string | null;
  /** The domain whose people the provider says this is one of. */
  domain: string | null;
  /** Of the organisations and groups that were asked for, those it belongs to. */
  organisations: string[];
  groups: string[];
};

/** Whom the settings let in beside those who were invited. Domains and organisations in lower case. */
export type JoinRules = {
  /** Whoever is here already is found by the verified address at their first sign-in. */
  connectByEmail: boolean;
  domains: string[];
  organisations: string[];
  groups: string[];
};

/** What the settings say about signing in. */
export type SignInRules = JoinRules & { passwords: boolean };

type Known = { id: string; state: string };

/** Stable: in addresses, in the audit and in the documentation. */
export type SignInRefusal = "EmailNotVerified" | "NotInvited" | "PersonDisabled" | "ConnectFirst";

export type SignInDecision =
  | { kind: "enter" | "accept" | "connect"; userId: string }
  | { kind: "join"; by: string }
  | { kind: "refuse"; code: SignInRefusal };

/**
 * Who gets in by a provider. A connected identity stands for its person. Otherwise the verified address decides: it accepts
 * an invitation; it finds a person who is here already only when the settings say so, since whoever has somebody's mailbox
 * does not have their password; and it lets a new person join when the settings name where they come from.
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
