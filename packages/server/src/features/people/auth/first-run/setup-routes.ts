import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { App } from "../../../../platform/http/app.ts";
import { failurePage } from "../../../../platform/http/pages/error-pages.ts";
import {
	type Faults,
	faultsOf,
	form,
	hasFaults,
	textFields,
	troubleBox,
	withButton,
} from "../../../../platform/http/pages/form.ts";
import { html } from "../../../../platform/http/pages/html.ts";
import type { Page } from "../../../../platform/http/pages/page.ts";
import {
	openPages,
	type PageSet,
	type PageVisit,
	type Refuse,
	showPage,
	takeForm,
} from "../../../../platform/http/pages/page-routes.ts";
import { sha256Hex } from "../../../../platform/lib/crypto.ts";
import { randomToken } from "../../../../platform/lib/ids.ts";
import { addedFields, type ChangeDeps, recordAudit, userActor } from "../../../auditing/audit-log/index.ts";
import { hasSuperadmin, insertUser, newUserRow, type UserRow } from "../../users/index.ts";
import type { AuthDeps } from "../deps.ts";
import { emailField, nameField, newPasswordField } from "../person-fields.ts";
import { setSessionCookies } from "../session/cookies.ts";
import { clientOf, openSession } from "../session/open-session.ts";
import { replaceSetupLink, setupLinks } from "../store.ts";

/**
 * The one-time link that creates the first account; undefined if there is a superadmin. Other users do not count, so
 * that an early registration cannot lock the operator out. Each call revokes earlier links. Only a hash of the token is
 * stored. `rootUrl` has no slash at its end.
 */
export async function createFirstRunLink(deps: ChangeDeps & { readonly rootUrl: string }): Promise<string | undefined> {
	const token = randomToken();
	const made = await deps.metadata.transaction().execute(async (metadata) => {
		if (await hasSuperadmin(metadata)) return false;
		await replaceSetupLink(metadata, sha256Hex(token), deps.clock.now());
		return true;
	});
	return made ? `${deps.rootUrl}/setup?token=${token}` : undefined;
}

/** True while the link opens the setup page: not used, not replaced, and no superadmin exists. */
async function isSetupLinkOpen(deps: ChangeDeps, token: string): Promise<boolean> {
	const link = await setupLinks.find(deps.metadata, { token_hash: sha256Hex(token) });
	return link !== undefined && !(await hasSuperadmin(deps.metadata));
}

/**
 * Creates the first account, a superadmin, and uses the link up.
 * Throws `not_found` when the link is dead, `validation_error` for a field.
 */
async function createFirstUser(
	deps: ChangeDeps,
	input: { token: string; email: string; name: string; password: string; ip: string },
): Promise<UserRow> {
	const now = deps.clock.now();
	const row = await newUserRow({ ...input, role: "superadmin" }, now);
	return deps.metadata.transaction().execute(async (metadata) => {
		// Of two forms at once, one takes the link.
		const taken = await setupLinks.delete(metadata, { token_hash: sha256Hex(input.token) });
		if (taken === undefined || (await hasSuperadmin(metadata)))
			throw new ServiceError("not_found", "The link is no longer valid");
		const user = await insertUser(metadata, row);
		const details = addedFields({ email: user.email, name: user.name, role: user.role });
		const entry = { action: "user.created", resourceId: user.id, details } as const;
		await recordAudit(metadata, userActor(user.id, input.ip), entry, now);
		return user;
	});
}

interface SetupForm {
	readonly token: string;
	readonly name: string;
	readonly email: string;
	readonly faults?: Faults;
}

const setupFormPage = ({ token, name, email, faults = {} }: SetupForm): Page => ({
	title: "Create the first account",
	hasErrors: hasFaults(faults),
	body: html`<p>This account is the administrator of this server.</p>
${troubleBox({ faults })}
${form("/setup", {
	hidden: { token },
	body: withButton(
		"Create account",
		textFields([nameField(name, faults.name), emailField(email, faults.email), newPasswordField(faults.password)]),
	),
})}`,
});

/**
 * Shown once the account exists: the steps to the first figure. `root` is the address of the service as the browser has
 * it.
 */
const setupDonePage = ({ email, root }: { readonly email: string; readonly root: string }): Page => ({
	title: "The account is ready",
	body: html`<p>You are <strong>${email}</strong>, and administrator of this server. There is no dashboard on this server: use these three commands. Run them on the server, in the folder of Footfall; in a container or an installed package the command is <code>footfall</code>.</p>
<h2>1. Create a site</h2>
<pre>./footfall sites create --name Shop --domain shop.example</pre>
<p>It prints a script tag. Add it to the <code>&lt;head&gt;</code> of every page of the site.</p>
<h2>2. Check that data arrives</h2>
<pre>./footfall sites check shop</pre>
<h2>3. Read statistics</h2>
<pre>./footfall tokens create --user ${shellWord(email)} \\
  --name reports --scope stats:read sites:read</pre>
<p>It prints an API key, once. Programs use it like this:</p>
<pre>curl -H "X-API-Key: svc_…" \\
  "${root}/api/v1/stats/overview?site_id=shop&amp;period=today"</pre>
<p><a href="/docs">API reference</a></p>`,
});

const shellWord = (text: string): string => (/^[\w.@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Shown for a link that was used, replaced or never existed. */
const setupLinkDeadPage: Page = {
	title: "This link is no longer valid",
	body: html`<p>It works once, until the first account exists. Without an account, restart the service: it prints a new link.</p>`,
};

interface SetupDeps extends AuthDeps {
	/** True when the application follows the setup. */
	readonly hasDashboard: boolean;
}

const route = { url: "/setup", guard: { kind: "public" } } as const;

/** The pages behind the first-run link, at the root of the host: a form that works without JavaScript. */
export function registerSetup(app: App, deps: SetupDeps): void {
	const set: PageSet<PageVisit> = {
		tag: "Setup",
		// The form's URL has the token, so no referrer is sent to other pages.
		referrer: "no-referrer",
		secretKey: deps.secretKey,
		publicUrl: deps.publicUrl,
		staleForm: "This form was opened elsewhere. Open the link again",
		nothingPage: setupLinkDeadPage,
		failurePage: failurePage("Please try again in a while. The link still works."),
		look: async (seen) => ((await isSetupLinkOpen(deps, seen.field("token"))) ? seen : undefined),
		// A forged form lacks the token of the link, without which nothing is shown.
		binding: () => undefined,
	};
	openPages(app, set, (pages) => {
		showPage(pages, set, { ...route, summary: "The form that creates the first account" }, async ({ field }) =>
			setupFormPage({ token: field("token"), name: "", email: "" }),
		);
		takeForm(pages, set, { ...route, summary: "Create the first account", refuse }, async (visit) => {
			const { request, field } = visit;
			const [token, name, email, password] = [field("token"), field("name"), field("email"), field("password")];
			const user = await createFirstUser(deps, { token, name, email, password, ip: request.ip });
			return goOn(deps, visit, user);
		});
	});
}

/** Another form was faster, or something has to be mended; the password is never written back. */
const refuse: Refuse<PageVisit> = (refusal, { field }) => {
	if (refusal.code === "not_found") return setupLinkDeadPage;
	if (refusal.code !== "validation_error") return failurePage("Open the link again.")(refusal);
	const given = { token: field("token"), name: field("name"), email: field("email") };
	return setupFormPage({ ...given, faults: faultsOf(refusal, labels) });
};

/** The new user is signed in and redirected to the application; without one, a page names the next steps. */
async function goOn(deps: SetupDeps, { request, reply, leadTo }: PageVisit, user: UserRow) {
	if (!deps.hasDashboard) return setupDonePage({ email: user.email, root: `${request.protocol}://${request.host}` });
	const { secrets } = await openSession(deps, user, clientOf(request));
	setSessionCookies(reply, secrets, deps.cookieSecure);
	return leadTo("/");
}

const labels = {
	email: "The email address",
	name: "The name",
	password: "The password",
} as const;
