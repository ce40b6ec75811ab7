export const minPasswordLength = 12;
const maxPasswordLength = 256;

/** Why the server refuses a new password; undefined when it takes it. */
export function newPasswordProblem(password: string): string | undefined {
  const length = [...password].length;
  if (length < minPasswordLength) return `Use at least ${minPasswordLength} characters; this has ${length}.`;
  if (length > maxPasswordLength) return `Use at most ${maxPasswordLength} characters.`;
  return undefined;
}
