export { codePage } from "./code-page.ts";
export type { TwoFactorDeps } from "./deps.ts";
export { removeSecondFactor, switchOffTwoFactor } from "./disable.ts";
export { registerTwoFactor } from "./routes.ts";
export { VerifyLoginBody } from "./schemas.ts";
export { signInForms } from "./sign-in-form-routes.ts";
export { confirmCode } from "./use-code.ts";
