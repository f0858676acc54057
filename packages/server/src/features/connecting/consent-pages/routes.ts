import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { openPages } from "../../../platform/http/pages/open-pages.ts";
import { type PageSet, takeForm } from "../../../platform/http/pages/page-routes.ts";
import { signInForms } from "../../people/two-factor/index.ts";
import { registerDecision } from "./decision-routes.ts";
import { type ConsentPagesDeps, consentPages, consentRoute, pageOf, type Visit } from "./page-routes.ts";
import { secondStepPage, signInPage } from "./sign-in-pages.ts";
import { registerSignUp } from "./sign-up-routes.ts";

const MIN_CODE = 6;
const MAX_CODE = 14;
const MAX_EMAIL = 254;
const MAX_PASSWORD = 1024;

/** The forms that ask who is there: password, then the code where a second factor is on. */
function registerSignIn(pages: App, set: PageSet<Visit>, deps: ConsentPagesDeps): void {
	const forms = signInForms<Visit>(deps, {
		passwordPage: (visit, trouble) => signInPage(visit, { email: visit.field("email"), ...trouble }),
		codePage: (visit, given) => secondStepPage(visit, given),
		next: ({ requestId }) => pageOf(requestId),
	});
	const byPassword = { ...consentRoute("/sign-in", "Sign in"), refuse: forms.refusePassword };
	takeForm(pages, set, byPassword, async (visit) => {
		const [email, password] = [visit.field("email"), visit.field("password")];
		if (email === "" || password === "" || email.length > MAX_EMAIL || password.length > MAX_PASSWORD) {
			throw new ServiceError("validation_error", { message: "Enter your email address and your password" });
		}
		return forms.takePassword(visit, { email, password });
	});
	const byCode = { ...consentRoute("/code", "Second step"), refuse: forms.refuseCode };
	takeForm(pages, set, byCode, async (visit) => {
		const code = visit.field("code").replace(/\s/g, "");
		if (code.length < MIN_CODE || code.length > MAX_CODE) {
			throw new ServiceError("validation_error", { message: "Enter the six digits of the app, or a backup code" });
		}
		return forms.takeCode(visit, { challengeToken: visit.field("challenge_token"), code });
	});
}

/**
 * The pages, at the root of the host, on which people answer the request of an app: they sign in or sign up, see who asks
 * for what, choose a site, and allow or deny. They work without JavaScript.
 */
export function registerConsentPages(app: App, deps: ConsentPagesDeps): void {
	const set = consentPages(deps);
	openPages(app, set, (pages) => {
		registerDecision(pages, set, deps);
		registerSignIn(pages, set, deps);
		registerSignUp(pages, set, deps);
	});
}
