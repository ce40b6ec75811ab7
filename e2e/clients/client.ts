/** Who a client asks as: nobody in particular, or the owner of the skills, by a token or by a capability URL. */
export type Access = "anybody" | "owner";

type Extra = { title: string; work: () => Promise<unknown> };

/**
 * What a program that was written elsewhere does with skills. All of them throw when the program fails in a way that no answer
 * of the product explains.
 */
export type Client = {
  name: string;
  /** MCP knows nobody in particular. */
  asks: Access[];
  /** Everything the client says about what is there. */
  list(access: Access): Promise<string>;
  search?(word: string, access: Access): Promise<string>;
  /** Installs into a fresh folder. Answers the text of SKILL.md as the client stored it; null when it finds no such skill. */
  install(skill: string, access: Access): Promise<string | null>;
  /** Whether an update takes away what was revoked. The others keep their copy, and find nothing to install again. */
  isToldOfRevocation: boolean;
  /** Updates what it installed last under that name. Answers the text of SKILL.md then; null when the client has taken it away. */
  update(skill: string): Promise<string | null>;
  /** Installs skills in this order into one folder. Answers an update of all of them, which answers each SKILL.md as it is then. */
  installTogether?(skills: string[]): Promise<() => Promise<(string | null)[]>>;
  /** Reads what a marketplace pins a skill to. Answers a fetch of this pin: the text of SKILL.md, or null when it is refused. */
  pin?(skill: string): Promise<() => Promise<string | null>>;
  /** Removes what it installed last under that name. Answers whether it is gone from the disk. */
  remove?(skill: string): Promise<boolean>;
  /** Hands in a skill of one file, as the owner. */
  publish?(skill: string, text: string): Promise<void>;
  /** What only this client does, with a skill that anybody can install. */
  extras?(skill: string): Extra[];
  close?(): Promise<void>;
};
