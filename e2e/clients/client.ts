/** The identity of a client: anonymous, or the owner of the skills by a token or a capability URL. */
export type Access = "anonymous" | "owner";

type Extra = { title: string; work: () => Promise<unknown> };

/**
 * The actions of a third-party client. They throw when the program fails for another reason than an answer of the
 * product.
 */
export type Client = {
  name: string;
  asks: Access[];
  list(access: Access): Promise<string>;
  search?(word: string, access: Access): Promise<string>;
  /** Installs into a new folder. Returns the text of SKILL.md as the client stored it; null when it finds no such skill. */
  install(skill: string, access: Access): Promise<string | null>;
  /** Whether an update removes revoked skills. Other clients keep their copy, but cannot install it again. */
  removesRevoked: boolean;
  /** Updates the last installed skill of that name. Returns the new text of SKILL.md; null when the client has removed it. */
  update(skill: string): Promise<string | null>;
  /** Installs skills in this order into one folder. Returns a function that updates all of them and returns each SKILL.md. */
  installTogether?(skills: string[]): Promise<() => Promise<(string | null)[]>>;
  /** Reads the pin of a skill in a marketplace. Returns a function that fetches it: the text of SKILL.md, or null when refused. */
  pin?(skill: string): Promise<() => Promise<string | null>>;
  /** Removes the last installed skill of that name. Returns whether it is gone from the disk. */
  remove?(skill: string): Promise<boolean>;
  publish?(skill: string, text: string): Promise<void>;
  /** Steps of this client alone, with a public skill. */
  extras?(skill: string): Extra[];
  close?(): Promise<void>;
};
