import type { TwoFactorDeps } from "../../people/two-factor/index.ts";
import type { OnboardingDeps } from "../oauth/index.ts";

/** What these pages need: they sign in, sign up and decide by the verbs of the API. */
export interface ConsentPagesDeps extends TwoFactorDeps, OnboardingDeps {}
