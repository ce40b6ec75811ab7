import { asciiSlug } from "../ascii-slug";

/** Longest handle that a number can still be added to. */
const STEM = 34;

/** A handle made of a name, else of the local part of an address, else `publisher`. Whether it is free is another question. */
export function proposeHandle({ name, email }: { name: string; email: string }): string {
  return asciiSlug(name, STEM) || asciiSlug(email.split("@")[0] ?? "", STEM) || "publisher";
}
