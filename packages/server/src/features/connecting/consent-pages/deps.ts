import type { TwoFactorDeps } from "../../people/two-factor/index.ts";
import type { OnboardingDeps } from "../oauth/index.ts";

/** Dependencies of the consent pages: they sign in, sign up and decide by the functions of the API. */
export interface ConsentPagesDeps extends TwoFactorDeps, OnboardingDeps {}
