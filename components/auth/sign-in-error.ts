export const wrongCredentials = "Email or password is not right.";

type SignInErrorContext = {
  /** As its button calls it. */
  provider?: string | undefined;
  retryAfterSeconds?: number | null;
};

/** The sentence for an `error` code of the sign-in routes. */
export function signInErrorText(code: string, about: SignInErrorContext = {}): string {
  const { provider = "The provider", retryAfterSeconds = null } = about;
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
    case "NotInvited":
      return `${provider} knows you, but nobody has invited you here. Ask an admin for an invitation.`;
    case "EmailNotVerified":
      return `${provider} vouches for no email address of yours. Verify it there, or ask an admin.`;
    case "PersonDisabled":
      return "Your access here is switched off. Ask an admin.";
    case "ConnectFirst":
      return `Somebody with your email address is here already. If that is you, sign in as before and connect ${provider} in your profile.`;
    case "AlreadyConnected":
      return "Somebody else here signs in with that account. Nothing was changed.";
    case "ProviderDenied":
      return `${provider} says that you did not agree. Nothing was changed.`;
    case "ProviderUnavailable":
      return `${provider} does not answer. Try again in a moment.`;
    case "ProviderAnswerRejected":
      return `The answer of ${provider} could not be trusted. Try again; if it stays so, tell the person who runs the server.`;
    case "SignInExpired":
      return "This sign-in took too long, or began in another tab. Start again.";
    default:
      return "Sign-in did not work. Try again.";
  }
}

function waitText(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
