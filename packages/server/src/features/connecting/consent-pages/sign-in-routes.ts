import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { clientOf, type SignInOutcome, setSessionCookies, signIn } from "../../people/auth/index.ts";
import { verifyLogin } from "../../people/two-factor/index.ts";
import type { ConsentPagesDeps } from "./deps.ts";
import { pageRoute, seeQuestion, show, showRefusal, type Visit } from "./page-routes.ts";
import { codePage, signInPage } from "./sign-in-pages.ts";

const APP_CODE = /^\d{6}$/;
const MAX_CODE = 14;
const MAX_EMAIL = 254;
const MAX_PASSWORD = 1024;

/** The forms that ask who is there: password, then the code where a second factor is on. */
export function registerSignIn(pages: App, deps: ConsentPagesDeps): void {
	pageRoute(pages, deps, { method: "POST", url: "/sign-in", summary: "Sign in", form: "browser" }, async (visit) => {
		const { request, pending, field } = visit;
		const [email, password] = [field("email"), field("password")];
		try {
			if (email === "" || password === "" || email.length > MAX_EMAIL || password.length > MAX_PASSWORD) {
				throw new ServiceError("validation_error", { message: "Enter your e-mail address and your password" });
			}
			return proceed(visit, deps, await signIn(deps, { email, password }, clientOf(request)));
		} catch (error) {
			return showRefusal(visit, error, ({ message }) =>
				signInPage(pending.client, visit.frame(), { email, error: message }),
			);
		}
	});
	pageRoute(pages, deps, { method: "POST", url: "/code", summary: "Second step", form: "browser" }, async (visit) => {
		const { request, pending, field } = visit;
		const challengeToken = field("challenge_token");
		const code = field("code").replace(/\s/g, "");
		const given = { challengeToken, code, kind: APP_CODE.test(code) ? ("app" as const) : ("backup" as const) };
		try {
			if (code.length < 6 || code.length > MAX_CODE) {
				throw new ServiceError("validation_error", { message: "Enter the six digits of the app, or a backup code" });
			}
			return proceed(visit, deps, await verifyLogin(deps, given, clientOf(request)));
		} catch (error) {
			return showRefusal(visit, error, ({ code: refusal, message }) =>
				refusal === "token_invalid" || refusal === "token_expired"
					? signInPage(pending.client, visit.frame(), { error: "This took too long. Please sign in again." })
					: codePage(pending.client, visit.frame(), { challengeToken, error: message }),
			);
		}
	});
}

/** A password that was right ends in a session, or in the question for the second factor. */
function proceed(visit: Visit, deps: ConsentPagesDeps, outcome: SignInOutcome) {
	if (outcome.kind === "challenge") {
		return show(visit, codePage(visit.pending.client, visit.frame(), outcome));
	}
	setSessionCookies(visit.reply, outcome.secrets, deps.cookieSecure);
	return seeQuestion(visit);
}
