export type { TwoFactorDeps } from "./deps.ts";
export { removeSecondFactor, switchOffTwoFactor } from "./disable.ts";
export { registerTwoFactor } from "./routes.ts";
export { VerifyLoginBody } from "./schemas.ts";
export { codePage, signInForms } from "./sign-in-form-routes.ts";
export { confirmCode } from "./use-code.ts";
