import { hourly } from "../../../platform/http/rate-limit/route-limit.ts";

/** Limits of what anybody may ask for, whichever way it is asked. */
export const requestLimits = {
	registration: hourly("register", 3),
	verificationMail: hourly("resend-verification", 3),
	addressChange: hourly("change-address", 5),
	resetMail: hourly("forgot-password", 3),
} as const;
