import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { dropDrafts, keepDraftsOf } from "../../lib/draft-owner.ts";
import { asFailure, Failure } from "../../lib/failure.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { FormPage, Problem } from "../../ui/page/form-page.tsx";
import styles from "../../ui/page/page.module.css";
import { adoptPreferences } from "../preferences/index.ts";
import { destination } from "./destination.ts";
import { t } from "./texts.ts";
import { useConfig } from "./use-config.ts";

/** The answer to a completed sign-in. */
type Entered = Extract<Answer<"POST /auth/token">, { readonly user: unknown }>;

/**
 * Loads the application as the user that has just signed in: nothing of the one before is left in memory. Throws a failure
 * where the browser did not keep the session's cookies.
 */
async function enter(): Promise<void> {
	const [preferences, me] = await Promise.all([
		call("GET /users/me/preferences").catch(() => undefined),
		call("GET /auth/me").catch(refusedCookies),
	]);
	if (me === undefined) dropDrafts();
	else keepDraftsOf(me.id, true);
	if (preferences !== undefined) adoptPreferences(preferences);
	location.assign(destination(location.search, location.origin));
}

/** Browsers keep secure cookies over HTTPS, and over plain HTTP from their own machine alone. */
function refusedCookies(error: unknown): undefined {
	const { status } = asFailure(error);
	if (status !== 401) return undefined;
	throw new Failure(isSecureContext ? t.cookiesRefused : t.insecureAddress, { status, code: "cookies_refused" });
}

type Step =
	| { readonly name: "password" }
	| { readonly name: "code"; readonly challenge: string }
	| { readonly name: "filtered"; readonly entered: Entered };

/** Mail and password, then the second step where the account has one. */
export function SignInScreen() {
	const [step, setStep] = useState<Step>({ name: "password" });
	const onEntered = async (entered: Entered) => {
		if (entered.ip_filtered_accounts.length > 0) setStep({ name: "filtered", entered });
		else await enter();
	};
	if (step.name === "filtered") return <FilteredStep entered={step.entered} />;
	if (step.name === "code") {
		return <CodeStep challenge={step.challenge} onEntered={onEntered} onGone={() => setStep({ name: "password" })} />;
	}
	return <PasswordStep onEntered={onEntered} onChallenge={(challenge) => setStep({ name: "code", challenge })} />;
}

/** Lists after sign-in the sites that cannot be opened from this address. */
function FilteredStep({ entered }: { readonly entered: Entered }) {
	const { ip_filtered_accounts: sites, client_ip: address } = entered;
	const form = useForm(enter);
	return (
		<FormPage title={t.filtered}>
			<Form form={form} className={styles.form}>
				<p>{t.filteredText(address, sites.length)}</p>
				<ul className={styles.list}>
					{sites.map((site) => (
						<li key={site}>{site}</li>
					))}
				</ul>
				<p className={styles.text}>{t.filteredHint}</p>
				<Submit autoFocus>{t.go}</Submit>
			</Form>
		</FormPage>
	);
}

interface PasswordStepProps {
	readonly onEntered: (entered: Entered) => Promise<void>;
	readonly onChallenge: (token: string) => void;
}

/** The first step: address and password. */
function PasswordStep({ onEntered, onChallenge }: PasswordStepProps) {
	const config = useConfig();
	const news = t.news[new URLSearchParams(location.search).get("news") ?? ""];
	const [email, setEmail] = useState("");
	const form = useForm(async (values) => {
		const body = { email: textOf(values, "email"), password: textOf(values, "password") };
		setEmail(body.email);
		const answer = await call("POST /auth/token", { body });
		if ("requires_2fa" in answer) onChallenge(answer.challenge_token);
		else await onEntered(answer);
	});
	return (
		<FormPage
			title={t.title}
			foot={
				<>
					<Link to="/forgot-password">{t.forgot}</Link>
					{config?.registration === "open" && <Link to="/sign-up">{t.signUp}</Link>}
				</>
			}
		>
			<Form form={form} className={styles.form} problem={null}>
				{config?.setup_required && <p className={styles.tip}>{t.setup}</p>}
				{news !== undefined && (
					<p role="status" className={styles.tip}>
						{news}
					</p>
				)}
				<SignInProblem failure={form.failure} email={email} />
				<Field label={t.email} name="email" type="email" autoComplete="username" required autoFocus />
				<Field label={t.password} name="password" type="password" autoComplete="current-password" required />
				<Submit>{t.title}</Submit>
			</Form>
		</FormPage>
	);
}

/** The reason of the failure; for an unverified address with a button that sends the mail again. */
function SignInProblem({ failure, email }: { readonly failure: Failure | undefined; readonly email: string }) {
	const [isSent, setIsSent] = useState(false);
	const [problem, setProblem] = useState<Failure>();
	if (failure?.code !== "email_not_verified") return <Problem failure={failure} />;
	if (isSent) return <p role="status">{t.resent}</p>;
	const resend = () =>
		call("POST /email/resend-verification", { body: { email } }).then(() => setIsSent(true), setProblem);
	return (
		<>
			<Problem failure={failure}>
				<Button small onClick={() => void resend()}>
					{t.resend}
				</Button>
			</Problem>
			<Problem failure={problem} />
		</>
	);
}

interface CodeStepProps {
	readonly challenge: string;
	readonly onEntered: (entered: Entered) => Promise<void>;
	/** Back to the password: the challenge is over, or was not wanted. */
	readonly onGone: () => void;
}

/** After these the challenge is worth nothing: only the password makes another. */
const endings = ["token_invalid", "token_expired", "rate_limit_exceeded"];

/** The second step: a code of the authenticator, or one of those that were kept for when it is lost. */
function CodeStep({ challenge, onEntered, onGone }: CodeStepProps) {
	const [isBackup, setIsBackup] = useState(false);
	const form = useForm(async (values) => {
		const code = textOf(values, "code").replaceAll(/\s/g, "");
		const answer = await call("POST /2fa/verify-login", {
			body: { challenge_token: challenge, code, is_backup_code: isBackup },
		});
		if (!("requires_2fa" in answer)) await onEntered(answer);
	});
	return (
		<FormPage
			title={t.second}
			foot={
				<Button look="quiet" small onClick={onGone}>
					{t.back}
				</Button>
			}
		>
			<Form
				form={form}
				className={styles.form}
				problem={<CodeProblem failure={form.failure} isBackup={isBackup} onGone={onGone} />}
			>
				<Field
					key={String(isBackup)}
					label={isBackup ? t.backup : t.code}
					hint={isBackup ? t.backupHint : t.codeHint}
					name="code"
					inputMode={isBackup ? "text" : "numeric"}
					autoComplete={isBackup ? "off" : "one-time-code"}
					autoCapitalize="none"
					spellCheck={false}
					minLength={6}
					maxLength={20}
					required
					autoFocus
				/>
				<Submit>{t.go}</Submit>
				<Button look="quiet" onClick={() => setIsBackup(!isBackup)}>
					{isBackup ? t.useApp : t.useBackup}
				</Button>
			</Form>
		</FormPage>
	);
}

interface CodeProblemProps {
	readonly failure: Failure | undefined;
	readonly isBackup: boolean;
	readonly onGone: () => void;
}

function CodeProblem({ failure, isBackup, onGone }: CodeProblemProps) {
	if (failure === undefined) return null;
	const isOver = endings.includes(failure.code);
	if (!isOver && failure.code !== "invalid_credentials") return <Problem failure={failure} />;
	return (
		<div role="alert" className={styles.problem}>
			<p>{isOver ? t.challengeOver : isBackup ? t.wrongBackup : t.wrongCode}</p>
			{isOver && (
				<Button small onClick={onGone}>
					{t.again}
				</Button>
			)}
		</div>
	);
}
