export const minPasswordLength = 12;
export const maxPasswordLength = 256;

/** Why a new password is refused, or undefined. */
export function newPasswordProblem(password: string): string | undefined {
  const length = [...password].length;
  if (length < minPasswordLength) return `Use at least ${minPasswordLength} characters; this has ${length}.`;
  if (length > maxPasswordLength) return `Use at most ${maxPasswordLength} characters.`;
  return undefined;
}
