/** What checking one approval came to. */
export type VerifiedApproval = {
  skill: string;
  digest: string;
  class: string;
  /** Names of those who signed. */
  signers: string[];
  /** Null when all holds, else what does not, as the end of a sentence. */
  problem: string | null;
};
