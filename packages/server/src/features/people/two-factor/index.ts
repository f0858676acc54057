export { confirmCode, type TwoFactorDeps } from "./codes.ts";
export { registerTwoFactor, VerifyLoginBody } from "./routes.ts";
export { removeSecondFactor, switchOffTwoFactor } from "./set-up.ts";
export { codePage, signInForms } from "./sign-in-form-routes.ts";
