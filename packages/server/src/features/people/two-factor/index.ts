export type { TwoFactorDeps } from "./deps.ts";
export { removeSecondFactor, switchOffTwoFactor } from "./disable.ts";
export { registerTwoFactor } from "./routes.ts";
export { VerifyLoginBody } from "./schemas.ts";
export { verifyLogin } from "./verify-login.ts";
