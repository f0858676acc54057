import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { FormPage } from "../../ui/page/form-page.tsx";
import { Notice } from "../../ui/page/notice.tsx";
import styles from "../../ui/page/page.module.css";
import { PasswordRules } from "./password-rules.tsx";
import { t } from "./texts.ts";
import { useConfig } from "./use-config.ts";

/** A new account, where registration is open. The answer is always the same; the next step comes by mail. */
export function SignUpScreen() {
	const config = useConfig();
	const [sentTo, setSentTo] = useState<string>();
	const foot = <Link to="/sign-in">{t.back}</Link>;
	if (config === undefined) return null;
	if (config.registration !== "open") {
		return (
			<Notice title={t.closed} text={t.closedText}>
				{foot}
			</Notice>
		);
	}
	if (sentTo === undefined) return <SignUpForm onSent={setSentTo} />;
	return (
		<FormPage title={t.look} foot={foot}>
			<p role="status" className={styles.text}>
				{t.lookText(sentTo)}
			</p>
		</FormPage>
	);
}

function SignUpForm({ onSent }: { readonly onSent: (email: string) => void }) {
	const [typed, setTyped] = useState({ email: "", password: "" });
	const form = useForm(async (values) => {
		const [email, name, password] = [textOf(values, "email"), textOf(values, "name"), textOf(values, "password")];
		await call("POST /auth/register", {
			body: { email, name, password, accept_terms: values.get("accept_terms") === "on" },
		});
		onSent(email);
	});
	return (
		<FormPage title={t.signUp} foot={<Link to="/sign-in">{t.back}</Link>}>
			<Form form={form} className={styles.form}>
				<Field label={t.name} name="name" autoComplete="name" maxLength={255} required autoFocus />
				<Field
					label={t.email}
					name="email"
					type="email"
					autoComplete="username"
					required
					onChange={(event) => setTyped({ ...typed, email: event.target.value })}
				/>
				<Field
					label={t.password}
					name="password"
					type="password"
					autoComplete="new-password"
					minLength={12}
					maxLength={128}
					required
					hint={<PasswordRules {...typed} />}
					onChange={(event) => setTyped({ ...typed, password: event.target.value })}
				/>
				<label className={styles.check}>
					<input type="checkbox" name="accept_terms" required />
					{t.terms}
				</label>
				<Submit>{t.signUp}</Submit>
			</Form>
		</FormPage>
	);
}
