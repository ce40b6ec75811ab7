/** What a copy of a database holds. */
export type DatabaseFacts = {
  migrations: string[];
  tables: Record<string, number>;
  digest: string;
  head: { seq: number; hash: string | null } | null;
};

/** `problems`: what is damaged, a line each; the rest then says nothing. */
export type Inspected = DatabaseFacts & { problems: string[] };

/** How one kind of database is copied while it is written to. One folder for each kind, and nothing else knows which it is. */
export type DatabaseCopier = {
  provider: "sqlite" | "postgresql";
  /** Name of the copy in a backup. */
  file: string;
  /** Bytes a copy takes at most, about. */
  size(): Promise<number>;
  /** What is damaged in the database itself, a line each; writes nothing. */
  checkInUse(): Promise<string[]>;
  /** Writes a consistent copy, as of one moment, to a file that is not there; answers what it holds. */
  copy(to: string): Promise<Inspected>;
  /** Throws when there is something where a copy would be placed, outside the data directory. */
  assertFree(): Promise<void>;
  /** Makes the database of an instance from its copy in the new data directory, and looks at it. */
  place(copy: string): Promise<Inspected>;
  /** What does not hold in the audit of a folder that holds a copy and the keys; null when all does. */
  checkAudit(folder: string, facts: Pick<DatabaseFacts, "head">): Promise<string | null>;
};
