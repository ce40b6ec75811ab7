/** Under which the token for GitHub is stored, sealed. */
export const TOKEN_NAME = "github.token";
