export { registerTwoFactor, VerifyLoginBody } from "./routes.ts";
export { confirmCode, removeSecondFactor, switchOffTwoFactor, type TwoFactorDeps } from "./second-factor.ts";
export { codePage, signInForms } from "./sign-in-form-routes.ts";
