import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import type { Failure } from "../../lib/failure.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { FormPage, Problem } from "../../ui/page/form-page.tsx";
import styles from "../../ui/page/page.module.css";
import type { Entered } from "./enter.ts";
import { t } from "./texts.ts";
import { useConfig } from "./use-config.ts";

interface PasswordStepProps {
	readonly onEntered: (entered: Entered) => Promise<void>;
	readonly onChallenge: (token: string) => void;
}

/** The first step: address and password. */
export function PasswordStep({ onEntered, onChallenge }: PasswordStepProps) {
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
