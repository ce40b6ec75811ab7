export const wrongCredentials = "Email or password is not right.";

/** The sentence for an `error` code of the sign-in routes. */
export function signInErrorText(code: string, retryAfterSeconds: number | null = null): string {
  if (/throttl|rate.?limit|too.?many/i.test(code)) {
    return `Too many attempts. Try again in ${retryAfterSeconds ? waitText(retryAfterSeconds) : "a few minutes"}.`;
  }
  switch (code) {
    case "CredentialsSignin":
      return wrongCredentials;
    case "SessionRequired":
    case "session_ended":
      return "Your session has ended. Sign in again.";
    case "AccessDenied":
      return "This account may not sign in here. Ask an admin.";
    default:
      return "Sign-in did not work. Try again.";
  }
}

function waitText(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
