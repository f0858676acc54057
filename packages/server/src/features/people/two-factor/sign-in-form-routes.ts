import type { FastifyReply } from "fastify";
import type { ServiceError } from "../../../platform/errors/service-error.ts";
import {
	type FormTrouble,
	form,
	isTroubled,
	textField,
	troubleBox,
	troubleOf,
	withButton,
} from "../../../platform/http/pages/form.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import type { PageVisit } from "../../../platform/http/pages/page-routes.ts";
import { clientOf, type SignInOutcome, setSessionCookies, signIn } from "../auth/index.ts";
import { kindOfCode, type TwoFactorDeps, verifyLogin } from "./second-factor.ts";

interface SignInPages<Visit> {
	readonly passwordPage: (visit: Visit, trouble: FormTrouble) => Page | Promise<Page>;
	readonly codePage: (visit: Visit, given: FormTrouble & { readonly challengeToken: string }) => Page | Promise<Page>;
	/** Where somebody goes who is signed in. */
	readonly next: (visit: Visit) => string;
	/** Begins the sentences on what was typed, by the names of the fields. */
	readonly labels?: Readonly<Record<string, string>>;
}

/** Signing in on pages: by the password, then the code where a second factor is on, with the verbs of the API. */
export function signInForms<Visit extends PageVisit>(deps: TwoFactorDeps, pages: SignInPages<Visit>) {
	const proceed = async (visit: Visit, outcome: SignInOutcome): Promise<FastifyReply> => {
		if (outcome.kind === "challenge") {
			return visit.show(await pages.codePage(visit, { challengeToken: outcome.challengeToken }));
		}
		setSessionCookies(visit.reply, outcome.secrets, deps.cookieSecure);
		return visit.leadTo(pages.next(visit));
	};
	return {
		takePassword: async (visit: Visit, login: { readonly email: string; readonly password: string }) =>
			proceed(visit, await signIn(deps, login, clientOf(visit.request))),
		/** Blanks in the code count for nothing. */
		takeCode: async (
			visit: Visit,
			{ challengeToken, code: typed }: { readonly challengeToken: string; readonly code: string },
		) => {
			const code = typed.replace(/\s/g, "");
			const given = { challengeToken, code, kind: kindOfCode(code) };
			return proceed(visit, await verifyLogin(deps, given, clientOf(visit.request)));
		},
		refusePassword: (refusal: ServiceError, visit: Visit) =>
			pages.passwordPage(visit, troubleOf(refusal, pages.labels)),
		/** Without a valid challenge, sign-in starts again with the password. */
		refuseCode: (refusal: ServiceError, visit: Visit) => {
			if (refusal.code === "token_invalid" || refusal.code === "token_expired") {
				return pages.passwordPage(visit, { error: "This took too long. Please sign in again." });
			}
			const challengeToken = visit.field("challenge_token");
			return pages.codePage(visit, { challengeToken, ...troubleOf(refusal, pages.labels) });
		},
	};
}

interface CodeForm {
	readonly purpose?: Html;
	readonly action: string;
	readonly hidden: Readonly<Record<string, string>>;
	readonly firstStep: string;
	readonly trouble: FormTrouble;
}

export const codePage = ({ purpose, action, hidden, firstStep, trouble }: CodeForm): Page => ({
	title: "Enter your code",
	hasErrors: isTroubled(trouble),
	body: html`${purpose !== undefined && html`${purpose}\n`}${troubleBox(trouble)}
${form(action, { hidden, body: withButton("Continue", codeField(trouble.faults?.code)) })}
<div class="aside"><p><a href="${firstStep}">Sign in again</a></p></div>`,
});

const codeField = (fault: string | undefined): Html =>
	textField({
		name: "code",
		label: "Code",
		autocomplete: "one-time-code",
		maxLength: 14,
		hint: "The six digits that your authenticator app shows, or one of your backup codes.",
		fault,
	});
